"""One Markdown file per prompt. Start at `loader.py`."""

"""Results as a page to read: sections are built once, then written as Markdown and as HTML."""

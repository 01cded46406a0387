"""One file per family of formats; each has `read(SourceFile) -> SourceText` (`protocol.py`)."""

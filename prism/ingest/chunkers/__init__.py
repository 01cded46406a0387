"""The ways to cut a document into chunks, one file each."""

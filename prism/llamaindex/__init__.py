"""Thin LlamaIndex shells: our stages as LlamaIndex parts, for our own use and for other people's apps."""

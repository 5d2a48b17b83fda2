"""Files in blocks that can be read apart from one another: cut, read anywhere, put together in order."""

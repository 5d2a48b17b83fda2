"""The default way from names to soft labels of all documents."""

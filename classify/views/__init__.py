"""Spaces in which documents, motif instances and category names are compared."""

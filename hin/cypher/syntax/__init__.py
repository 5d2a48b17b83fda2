"""Cypher's text → a tree of records."""

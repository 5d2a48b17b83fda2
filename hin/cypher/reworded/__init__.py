"""Cypher on a folder by rewording queries for an embedded engine."""

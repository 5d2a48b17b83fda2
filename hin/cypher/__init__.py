"""Cypher: quoting of names, and queries on any store."""

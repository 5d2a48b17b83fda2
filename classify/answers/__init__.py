"""Answers about documents: who gives them, how far to trust each source, what they measure and what they change."""

"""Shared parts of the systems: the interface, encoded texts, embeddings, pseudo documents, language models."""

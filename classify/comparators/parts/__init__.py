"""What several systems share: the interface, texts in numbers, embeddings, pseudo documents, language models."""

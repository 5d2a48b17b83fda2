"""The paper's own way: selection, retrieval, generation, the CNN."""

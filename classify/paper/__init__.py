"""The paper's own pipeline: selection, retrieval, generation, the CNN."""

"""Category names: read from a file, found in the corpus, checked."""

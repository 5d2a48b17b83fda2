"""What words mean outside the corpus: pretrained models, read without a network."""

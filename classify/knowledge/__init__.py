"""Pretrained models of what words mean outside the corpus, used offline."""

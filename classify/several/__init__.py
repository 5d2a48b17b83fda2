"""Several categories a document: probabilities each by itself, how many are given, and the figures for sets."""

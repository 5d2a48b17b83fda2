"""The classifiers that are trained on the soft labels: one interface, one file for each."""

"""Documents as input of the classifiers: instance counts, tf-idf features, sequences."""

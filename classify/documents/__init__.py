"""Documents as the classifiers see them: encoded, weighted, as sequences."""

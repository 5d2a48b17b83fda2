"""The estimator, what it keeps, how sure it is, why, and its files."""

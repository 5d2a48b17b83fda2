"""Several categories per document: separate probabilities of each, the number of them, and the rule for sets."""

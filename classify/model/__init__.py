"""The fitted model: its predictor, its confidence, the explanation of a label, and its files."""

"""Help with names and labels: words that would help a category, names that mislead, documents worth labelling."""

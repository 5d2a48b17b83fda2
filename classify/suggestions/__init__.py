"""Suggestions: keywords for categories, problems of names, documents worth labelling, categories that are missing."""

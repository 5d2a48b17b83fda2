"""Text into terms: the tokeniser and the mining of phrases."""

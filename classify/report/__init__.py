"""The HTML report: what it shows and how it is packed."""

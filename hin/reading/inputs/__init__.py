"""Where files are and how their bytes come in: names, places, compression."""

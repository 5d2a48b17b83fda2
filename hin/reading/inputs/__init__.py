"""Where input files are and how their bytes are read: names, locations, compression."""

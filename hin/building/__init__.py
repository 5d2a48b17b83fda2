"""Records into a graph: numbered part by part, large columns on disk, new documents after old ones."""

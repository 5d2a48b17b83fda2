"""Where a graph lives: the interface, the folder, Neo4j, and copying between them."""

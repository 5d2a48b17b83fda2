"""A graph in Neo4j: the connection, every statement, reading, writing, bulk import."""

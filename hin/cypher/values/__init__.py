"""The values of queries, and Cypher's rules for them: equality, order, arithmetic."""

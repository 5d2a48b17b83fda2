"""What a query computes with, and Cypher's rules for it: equality, order, arithmetic."""

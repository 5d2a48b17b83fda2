"""Compile the first clauses of a query to one SQL statement for DuckDB, where every value has one simple type."""

"""The first clauses of a query as one SQL statement for DuckDB, where every value has one simple type."""

"""Run a checked query row by row: complete, exact, and the reference for the clauses compiled to SQL."""

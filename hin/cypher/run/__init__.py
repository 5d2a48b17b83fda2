"""Running a checked query row by row: complete, exact, and the reference for what is pushed down to SQL."""

"""openCypher's test kit: its graphs, its tables, and how a case is run."""

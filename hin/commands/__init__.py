"""What the ground-floor commands do and print: load, info, export, query, copy."""

"""What a column holds, told by looking into it, and what becomes of it."""

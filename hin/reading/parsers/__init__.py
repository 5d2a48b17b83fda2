"""Parse bytes into rows: lines, JSON, tables, Arrow, databases, and the spelling of numbers."""

"""Whether a query makes sense before it runs: names, kinds, aggregates."""

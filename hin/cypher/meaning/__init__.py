"""Check a query before it runs: names, kinds, aggregates."""

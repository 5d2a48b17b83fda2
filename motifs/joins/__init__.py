"""Match patterns: plans of joins over the graph's arrays."""

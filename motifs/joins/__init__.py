"""How patterns are matched: plans of joins over the graph's arrays."""

"""Compare motif instances with chance: null models that preserve the degrees of both sides of every edge type."""

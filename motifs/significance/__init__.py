"""Motif instances against chance: null models that keep the degrees of both sides of every edge type."""

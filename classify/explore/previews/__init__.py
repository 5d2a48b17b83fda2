"""Previews: which documents an edit would move to another category, before a run."""

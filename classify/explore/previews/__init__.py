"""Previews: what a change would move, before a run."""

"""Timings, each a command that prints figures and a ratio against something real measured in the same run."""

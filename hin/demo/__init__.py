"""A synthetic corpus for `hin demo`: its generator, and its words."""

"""Infer what each column holds from its values, and decide how it is used."""

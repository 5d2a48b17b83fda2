"""The kinds of teachers: one file each, found by the registry in `base`."""

"""Who can be asked which category a document has: one file each, found by the registry in `base`."""

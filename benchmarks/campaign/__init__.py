"""Attacks on the promises of SECURITY.md, made from a seed: mangled files, hostile names, tampered folders, kills."""

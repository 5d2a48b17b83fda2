"""The bodies of the basic commands: load, info, export, query, copy."""

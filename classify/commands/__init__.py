"""The bodies of the commands that classify, and what they print."""

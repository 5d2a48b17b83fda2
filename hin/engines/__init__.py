"""Where work on blocks runs: on this machine's cores, or on the workers of a cluster."""

"""Running systems: each in a process of its own, kept, summed up, shown."""

"""Run systems, each in a process of its own; store, summarise and show the runs."""

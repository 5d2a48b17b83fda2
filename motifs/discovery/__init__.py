"""Find the patterns worth using, without labels: what each adds to its parts, in words and against chance."""

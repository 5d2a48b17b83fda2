"""What a session has done and found: the log of edits, the answers, the labels of its runs."""

"""The state of a session: the log of edits, the answers, the labels of its runs."""

"""The HTML report: its contents, and how they are packed into one file."""

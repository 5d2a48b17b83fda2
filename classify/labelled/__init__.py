"""The user's own table with labels: the document of each row, the added columns, and the writing of files."""

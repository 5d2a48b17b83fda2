"""The report's charts: each one pair of files of one name, the numbers in Python and the drawing in JavaScript."""

"""The report's charts: each a pair of files of the same name, the numbers in Python and the drawing in JavaScript."""

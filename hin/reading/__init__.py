"""Read files into records: formats, compression, fields, values, and the problems of a record."""

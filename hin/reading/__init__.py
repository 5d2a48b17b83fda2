"""Files into records: formats, compression, fields, values, and what is wrong with a record."""

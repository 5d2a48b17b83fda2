"""The user's own table with the labels in it: which rows are which documents, what is added, how it is written."""

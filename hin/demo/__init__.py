"""A made-up corpus for `hin demo`: how it is made, and its words."""

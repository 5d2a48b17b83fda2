"""A folder's tables as a property graph for queries, column by column; nothing is copied before it is needed."""

"""A folder's tables as a property graph that queries can read, column by column, nothing copied before it is needed."""

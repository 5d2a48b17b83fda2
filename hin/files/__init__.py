"""Files that are whole or not there, that are checked before use, and whose pages can be handed back."""

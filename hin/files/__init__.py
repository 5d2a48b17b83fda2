"""Files written atomically, checked before use, and mapped so that their pages can be released."""

"""Which metadata fields speak of the categories: judged from the texts, without labels, before anything is trained."""

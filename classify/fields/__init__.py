"""The choice of metadata fields that predict the categories: judged from the texts, without labels, before training."""

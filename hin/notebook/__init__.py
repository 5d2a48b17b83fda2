"""What a Jupyter notebook shows: cards in HTML for graphs, motifs, models and explanations, and progress."""

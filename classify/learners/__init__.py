"""What is trained on the labels in the end: one interface, one file each."""

"""What the classifying commands do and print."""

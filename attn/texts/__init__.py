"""What the pictures say."""

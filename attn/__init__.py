"""Self-attention as numbers: one weights file, one forward pass, every value kept."""

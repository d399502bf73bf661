"""Self-attention as numbers: one weights file, one forward pass, every value kept."""

__version__ = "0.1.0"

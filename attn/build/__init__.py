"""What makes what, and when: assets, what they read, settings, output/, publishing, watching."""

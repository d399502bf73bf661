"""Numbers alone: the weights file, the forward pass, what is claimed of it, each value's place. Knows no picture."""

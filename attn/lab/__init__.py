"""The search for weights, and the lookup experiment."""

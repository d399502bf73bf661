"""How a scene is played with manim: the stage, text, spaces, tables, moves, encoder."""

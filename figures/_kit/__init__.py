"""How a figure is drawn on a page with matplotlib: millimetres, spaces, tables, sheets."""

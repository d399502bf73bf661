"""The films: one scene a file. What they share lives in _kit."""

import configparser

# When it is first imported, manim reads its own settings, then a user's manim.cfg by `read`: those are none of ours.
_read = configparser.ConfigParser.read
configparser.ConfigParser.read = lambda self, *arguments, **options: []
try:
    import manim  # noqa: F401
finally:
    configparser.ConfigParser.read = _read

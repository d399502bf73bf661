"""The films: one scene a file. A file whose name starts with an underscore is a shared part, not a film."""

import configparser
from unittest import mock

# When it is first imported, manim reads its own settings, then a user's manim.cfg by `read`: those are none of ours.
with mock.patch.object(configparser.ConfigParser, "read"):
    import manim  # noqa: F401

"""The films: one scene a file. A file whose name starts with an underscore is a shared part, not a film."""

"""For all tests: how long something takes says nothing about it on a busy machine."""

from hypothesis import settings

settings.register_profile("patient", deadline=None)
settings.load_profile("patient")

"""Texts as they are handed to models and other programs: by handle, by passage, by section; never
by path."""

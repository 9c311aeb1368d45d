"""Sources of hits and pages, and what is known about them. The clients are listed in
registry.py."""

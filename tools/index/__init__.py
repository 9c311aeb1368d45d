"""The chunk index: what is indexed, and where it is stored."""

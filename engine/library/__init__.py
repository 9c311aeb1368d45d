"""The user's own documents and the folders they lie in."""

"""Clients of scholarly indexes, one file a service."""

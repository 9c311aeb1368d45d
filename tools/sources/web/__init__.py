"""Clients of web searches and feeds, one file a service."""

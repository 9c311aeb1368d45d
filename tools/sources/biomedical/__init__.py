"""Clients of biomedical indexes, one file a service."""

"""Formats of scholarship: bibliographies and journal articles."""

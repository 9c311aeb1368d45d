"""Credibility: tables, rules and lists behind the scorer."""

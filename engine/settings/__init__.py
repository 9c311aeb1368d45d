"""Settings and keys: one table, read once into a frozen configuration."""

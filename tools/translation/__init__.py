"""Words and texts of six other languages in English."""

"""Reports and progress as text on a terminal."""

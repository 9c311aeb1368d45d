"""The page families, one blueprint a file."""

"""The tools by their public signatures. What a tool works with comes from the context in force (context.py)."""

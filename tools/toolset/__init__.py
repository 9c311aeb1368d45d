"""The tools by their public signatures. What a tool works with comes from the context in force
(context.py); what the table of tools says of each is a Tool (tool.py)."""

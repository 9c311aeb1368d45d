"""Office documents: Word, PowerPoint, Excel, OpenDocument, Rich Text."""

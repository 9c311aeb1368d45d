"""PDF: characters to rows, rows to paragraphs, tables and headings."""

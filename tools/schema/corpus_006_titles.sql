-- Documents in the order of their titles, for lists that show the first of them
CREATE INDEX documents_title ON documents (title COLLATE NOCASE, name, document_id) WHERE snapshot_id IS NOT NULL;

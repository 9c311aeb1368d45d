-- Texts that are indexed, cut into chunks; three full-text indexes and one vector per chunk. Everything here can be
-- made again from the snapshot files and the documents.
CREATE TABLE texts (
  text_id INTEGER PRIMARY KEY AUTOINCREMENT,
  snapshot_id TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL,
  kind TEXT NOT NULL,
  characters INTEGER NOT NULL,
  chunks INTEGER NOT NULL
);

-- title: of the text and of the section; body: the chunk itself (start and end are code points of the snapshot);
-- pairs: character pairs of what is written without spaces, else NULL. An id is never used twice.
CREATE TABLE chunks (
  chunk_id INTEGER PRIMARY KEY AUTOINCREMENT,
  text_id INTEGER NOT NULL REFERENCES texts (text_id) ON DELETE CASCADE,
  start INTEGER NOT NULL,
  end INTEGER NOT NULL,
  section_id TEXT,
  title TEXT NOT NULL,
  body TEXT NOT NULL,
  pairs TEXT
);
CREATE INDEX chunks_text ON chunks (text_id);

-- The full-text indexes hold no text of their own. tools/corpus/store.py fills them with one statement per text, in the
-- transaction that adds or removes its chunks: triggers would make SQLite flush them once per row, at half the speed.

CREATE VIRTUAL TABLE chunk_stem USING fts5 (
  title, body, content = 'chunks', content_rowid = 'chunk_id', tokenize = 'porter unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE chunk_exact USING fts5 (
  title, body, content = 'chunks', content_rowid = 'chunk_id', tokenize = 'unicode61 remove_diacritics 2'
);
CREATE VIEW chunk_pair_rows AS SELECT chunk_id, pairs FROM chunks WHERE pairs IS NOT NULL;
CREATE VIRTUAL TABLE chunk_pairs USING fts5 (
  pairs, content = 'chunk_pair_rows', content_rowid = 'chunk_id', tokenize = 'unicode61 remove_diacritics 0'
);

-- Merging segments in eights instead of fours: less writing, the same search
INSERT INTO chunk_stem (chunk_stem, rank) VALUES ('automerge', 8);
INSERT INTO chunk_exact (chunk_exact, rank) VALUES ('automerge', 8);
INSERT INTO chunk_pairs (chunk_pairs, rank) VALUES ('automerge', 8);

-- vector: float16, little endian, length 1. Vectors of two models are never compared.
CREATE TABLE vectors (
  vector_id INTEGER PRIMARY KEY AUTOINCREMENT,
  chunk_id INTEGER NOT NULL REFERENCES chunks (chunk_id) ON DELETE CASCADE,
  model TEXT NOT NULL,
  dimensions INTEGER NOT NULL,
  vector BLOB NOT NULL,
  UNIQUE (chunk_id, model)
);

-- How often something was taken out, so that what is held in memory is known to be old. One row.
CREATE TABLE index_state (id INTEGER PRIMARY KEY CHECK (id = 1), removals INTEGER NOT NULL);
INSERT INTO index_state (id, removals) VALUES (1, 0);

-- The user's documents, named by their content. layout: JSON {pages [[page, start]], sections [[..]]}.
CREATE TABLE documents (
  document_id TEXT PRIMARY KEY,
  content_hash TEXT NOT NULL,
  name TEXT NOT NULL,
  title TEXT NOT NULL,
  folder TEXT NOT NULL,
  media_type TEXT NOT NULL,
  extractor TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  added_at TEXT NOT NULL,
  status TEXT NOT NULL,
  problem TEXT,
  snapshot_id TEXT,
  characters INTEGER NOT NULL,
  metadata TEXT NOT NULL,
  layout TEXT NOT NULL
);
CREATE INDEX documents_snapshot ON documents (snapshot_id);

-- Where the documents lie on this machine. These paths never leave this table. state: size and times of the file.
CREATE TABLE document_files (
  path TEXT PRIMARY KEY,
  document_id TEXT NOT NULL REFERENCES documents (document_id) ON DELETE CASCADE,
  state TEXT NOT NULL
);
CREATE INDEX document_files_document ON document_files (document_id);

-- Entries of BibTeX and RIS files: sources of their own. source: JSON of title, url and the fields of a source.
CREATE TABLE document_entries (
  document_id TEXT NOT NULL REFERENCES documents (document_id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  snapshot_id TEXT NOT NULL,
  completeness TEXT NOT NULL,
  source TEXT NOT NULL,
  PRIMARY KEY (document_id, position)
);
CREATE INDEX document_entries_snapshot ON document_entries (snapshot_id);

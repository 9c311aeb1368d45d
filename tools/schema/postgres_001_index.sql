-- The chunk index in PostgreSQL (tools/corpus/postgres). All of it can be made again from the snapshot files.
-- words, pairs: how many its chunks have together; paired: how many chunks have pairs.
CREATE TABLE texts (
  text_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  snapshot_id text NOT NULL UNIQUE,
  title text NOT NULL,
  kind text NOT NULL,
  characters integer NOT NULL,
  chunks integer NOT NULL,
  words bigint NOT NULL,
  pairs bigint NOT NULL,
  paired integer NOT NULL
);

CREATE TABLE chunks (
  chunk_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  text_id bigint NOT NULL REFERENCES texts ON DELETE CASCADE,
  start_at integer NOT NULL,
  end_at integer NOT NULL,
  section_id text,
  title text NOT NULL,
  body text NOT NULL
);
CREATE INDEX chunks_text ON chunks (text_id);

-- What is searched. lexemes: stems (s...), folded words (x...) and character pairs (p...) with their places; weight A
-- in the heading, D in the body. The words are made by the program (tools/text/tokens.py), so that a search means the
-- same on every server and in SQLite. Kept apart from the texts, and uncompressed while a row fits a page: ranking
-- reads tens of thousands of them.
CREATE TABLE chunk_words (
  chunk_id bigint PRIMARY KEY REFERENCES chunks ON DELETE CASCADE,
  text_id bigint NOT NULL,
  words integer NOT NULL,
  pairs integer NOT NULL,
  lexemes tsvector NOT NULL
) WITH (toast_tuple_target = 8160);
ALTER TABLE chunk_words ALTER COLUMN lexemes SET STORAGE EXTERNAL;
ALTER TABLE chunk_words ALTER COLUMN lexemes SET STATISTICS 1000;
CREATE INDEX chunk_words_text ON chunk_words (text_id);
CREATE INDEX chunk_words_lexemes ON chunk_words USING gin (lexemes);

-- Vectors of two models are never compared. The index for nearest neighbours is made when there are enough.
CREATE TABLE vectors (
  model text NOT NULL,
  chunk_id bigint NOT NULL REFERENCES chunks ON DELETE CASCADE,
  text_id bigint NOT NULL,
  vector halfvec NOT NULL,
  PRIMARY KEY (model, chunk_id)
);
ALTER TABLE vectors ALTER COLUMN vector SET STORAGE PLAIN;
CREATE INDEX vectors_chunk ON vectors (chunk_id);
CREATE INDEX vectors_text ON vectors (text_id);

-- The blocks of a text (paragraphs, list items, rows ...), as its parser saw them. data: deflated JSON of
-- tools.corpus.blocks.encode_blocks. A text without a row is cut into blocks when they are asked for.
CREATE TABLE text_blocks (
  snapshot_id TEXT PRIMARY KEY,
  data BLOB NOT NULL
) WITHOUT ROWID;

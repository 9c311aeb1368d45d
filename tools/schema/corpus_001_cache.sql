-- Answers of the network, kept for a while. key: sha256 of the canonical request without any key of the user.
-- body is deflated; times are seconds since 1970 (a cache compares them, people never see them raw).
CREATE TABLE http_cache (
  key TEXT PRIMARY KEY,
  url TEXT NOT NULL,
  final_url TEXT NOT NULL,
  status INTEGER NOT NULL,
  headers TEXT NOT NULL,
  body BLOB NOT NULL,
  size INTEGER NOT NULL,
  etag TEXT,
  last_modified TEXT,
  stored_at REAL NOT NULL,
  expires_at REAL NOT NULL
);
CREATE INDEX http_cache_expires ON http_cache (expires_at);

-- Every finished attempt to read a source, a failed one too: a run that was killed repeats none.
CREATE TABLE fetches (
  id INTEGER PRIMARY KEY,
  source_id TEXT NOT NULL,
  run_id TEXT NOT NULL,
  url TEXT NOT NULL,
  fetched_at TEXT NOT NULL,
  at REAL NOT NULL,
  media_type TEXT,
  extractor TEXT,
  raw_sha256 TEXT,
  snapshot_id TEXT,
  problem TEXT,
  reason TEXT,
  metadata TEXT NOT NULL DEFAULT '{}'
);
CREATE INDEX fetches_source ON fetches (source_id, at);
CREATE INDEX fetches_run ON fetches (run_id);
CREATE INDEX fetches_snapshot ON fetches (snapshot_id);

-- Politeness, shared by all threads and processes: when a host may be asked next, and until when it is left alone.
CREATE TABLE hosts (
  host TEXT PRIMARY KEY,
  next_at REAL NOT NULL DEFAULT 0,
  cool_until REAL NOT NULL DEFAULT 0,
  refusals INTEGER NOT NULL DEFAULT 0
);

-- How each source client has fared. failures: in a row, by itself; an answer sets it back to 0.
CREATE TABLE source_clients (
  name TEXT PRIMARY KEY,
  failures INTEGER NOT NULL DEFAULT 0,
  answered_at REAL NOT NULL DEFAULT 0,
  failed_at REAL NOT NULL DEFAULT 0,
  problem TEXT
);

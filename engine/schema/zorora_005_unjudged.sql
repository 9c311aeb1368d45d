-- Confidence is null in what nobody judged. SQLite cannot drop a NOT NULL: the tables are written anew.
CREATE TABLE claims_new (
    research_id TEXT NOT NULL REFERENCES research_findings(research_id) ON DELETE CASCADE,
    claim_id TEXT NOT NULL,
    text TEXT NOT NULL,
    section TEXT NOT NULL DEFAULT '',
    verified INTEGER NOT NULL,
    confidence REAL,
    level TEXT,
    voices INTEGER NOT NULL,
    sources TEXT NOT NULL DEFAULT '[]',      -- JSON list of source ids
    PRIMARY KEY (research_id, claim_id)
) WITHOUT ROWID;
INSERT INTO claims_new SELECT * FROM claims;
DROP TABLE claims;
ALTER TABLE claims_new RENAME TO claims;

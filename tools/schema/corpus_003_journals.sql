-- Retractions, predatory publishers and journals, open-access journals. Each row belongs to one downloaded list.
CREATE TABLE quality_lists (
    name      TEXT PRIMARY KEY,   -- "Retraction Watch"
    kind      TEXT NOT NULL,      -- retractions, predatory, journals
    origin    TEXT NOT NULL,      -- where it came from, for people
    dated     TEXT NOT NULL,      -- ISO date the list speaks of
    loaded_at TEXT NOT NULL,
    rows      INTEGER NOT NULL,
    skipped   INTEGER NOT NULL
);

CREATE TABLE retractions (
    list   TEXT NOT NULL REFERENCES quality_lists (name) ON DELETE CASCADE,
    doi    TEXT,                  -- lower case
    pmid   TEXT,
    title  TEXT NOT NULL,
    kind   TEXT NOT NULL,         -- retracted, concern, correction, reinstated
    date   TEXT,                  -- ISO, of the notice
    reason TEXT,
    notice TEXT                   -- DOI of the notice
);
CREATE INDEX retractions_doi ON retractions (doi) WHERE doi IS NOT NULL;
CREATE INDEX retractions_pmid ON retractions (pmid) WHERE pmid IS NOT NULL;
CREATE INDEX retractions_list ON retractions (list);

CREATE TABLE predatory (
    list TEXT NOT NULL REFERENCES quality_lists (name) ON DELETE CASCADE,
    kind TEXT NOT NULL,           -- publisher, journal, hijacked
    name TEXT NOT NULL,
    key  TEXT,                    -- normalised name; NULL where only the address identifies it
    host TEXT                     -- without www; NULL where the address is on a host of many
);
CREATE INDEX predatory_host ON predatory (host) WHERE host IS NOT NULL;
CREATE INDEX predatory_key ON predatory (key) WHERE key IS NOT NULL;
CREATE INDEX predatory_list ON predatory (list);

CREATE TABLE journals (
    list      TEXT NOT NULL REFERENCES quality_lists (name) ON DELETE CASCADE,
    issn      TEXT NOT NULL,      -- a journal has a row for each of its ISSNs
    title     TEXT NOT NULL,
    key       TEXT NOT NULL,
    publisher TEXT
);
CREATE INDEX journals_issn ON journals (issn);
CREATE INDEX journals_key ON journals (key);
CREATE INDEX journals_list ON journals (list);

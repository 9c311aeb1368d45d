-- When the bin was last emptied: one row, or none.
CREATE TABLE bin (emptied_at TEXT NOT NULL);

-- What is to be removed of researches that are gone for good, until it has surely been done. kind: research or text.
-- since: seconds since 1970. told: how often it was said.
CREATE TABLE to_forget (
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    since REAL NOT NULL,
    told INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (kind, name)
);

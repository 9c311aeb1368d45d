-- What a record is: a research, a quick search, or a conversation with a model. Few are anything but researches.
ALTER TABLE research_findings ADD COLUMN kind TEXT NOT NULL DEFAULT 'research';
CREATE INDEX idx_kind ON research_findings(kind, number) WHERE kind <> 'research';

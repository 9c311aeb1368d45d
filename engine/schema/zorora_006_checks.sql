-- What the user found when checking cited sentences: JSON list of {source_id, text, mark}. It stands in the record too.
ALTER TABLE research_findings ADD COLUMN checks TEXT NOT NULL DEFAULT '[]';

"""Sources of hits and pages: what a client is, what it answers, how records become one source."""

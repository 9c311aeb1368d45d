"""Work that goes on behind the pages: reading, revisions, streams, and the cache of pages."""

"""The blocks of indexed texts in corpus.db: what is quoted whole. A search reads none of them."""

import json
import zlib
from collections.abc import Sequence

from tools.database import Database
from tools.documents.blocks import decode_blocks, encode_blocks
from tools.documents.model import Block
from tools.documents.snapshots import window_bits


class BlockStore:
    """The blocks of texts, as their parsers gave them."""

    def __init__(self, db: Database) -> None:
        self.db = db

    def has(self, snapshot_id: str) -> bool:
        """Whether blocks of a text are kept."""
        rows = self.db.read().execute(
            "SELECT 1 FROM text_blocks WHERE snapshot_id = ?", (snapshot_id,)
        )
        return rows.fetchone() is not None

    def put(self, snapshot_id: str, blocks: Sequence[Block]) -> bool:
        """Keep the blocks of a text; whether none were there. Those that are there already stay."""
        rows = json.dumps(encode_blocks(blocks), separators=(",", ":")).encode()
        data = zlib.compress(rows, 1, window_bits(len(rows)))
        with self.db.write() as connection:
            inserted = connection.execute(
                "INSERT INTO text_blocks (snapshot_id, data) VALUES (?, ?) ON CONFLICT "
                "(snapshot_id) DO NOTHING",
                (snapshot_id, data),
            )
            return inserted.rowcount > 0

    def get(self, snapshot_id: str, text: str) -> tuple[Block, ...]:
        """The blocks of a text; none when they were not kept, or do not fit it."""
        row = (
            self.db.read()
            .execute("SELECT data FROM text_blocks WHERE snapshot_id = ?", (snapshot_id,))
            .fetchone()
        )
        try:
            return decode_blocks(text, json.loads(zlib.decompress(row[0]))) if row else ()
        except (ValueError, TypeError, zlib.error):
            return ()

    def remove(self, snapshot_id: str) -> None:
        self.db.execute("DELETE FROM text_blocks WHERE snapshot_id = ?", (snapshot_id,))

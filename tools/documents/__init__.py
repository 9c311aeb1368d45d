"""Documents: bytes to blocks, the processes that parse them, snapshots and sections."""

"""What the commands do, one file a group."""

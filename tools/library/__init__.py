"""The library: files and folders of the user, read into the index and offered as sources."""

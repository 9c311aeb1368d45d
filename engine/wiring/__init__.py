"""Tools built from the configuration and handed to the workflows."""

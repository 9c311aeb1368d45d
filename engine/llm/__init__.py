"""Models as configured: endpoints, roles, and the files of models kept in the home."""

"""Work on the files and programs of the user's machine, inside one folder. Only for a person at the
terminal."""

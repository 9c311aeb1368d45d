"""The rows of the table of commands, one module a group. ui/terminal/commands.py puts them together."""

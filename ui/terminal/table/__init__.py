"""The rows of the table of commands, one module a group. ui/terminal/command_table.py puts them
together."""

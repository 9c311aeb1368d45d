"""Zorora for other programs, over the Model Context Protocol."""

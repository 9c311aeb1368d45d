"""Records as templates show them: plain functions from data to what a page needs."""

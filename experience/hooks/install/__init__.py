"""Connecting a host and letting it go again: its own settings are edited in place, foreign words are left alone."""

"""Files → memory: Markdown that people keep is found again, with its lines."""

"""One file is one format: how it is known, and what it holds."""

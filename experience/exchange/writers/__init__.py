"""One file is one format that leaves the house."""

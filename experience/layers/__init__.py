"""The layers: one file is one memory layer with its own tables; no layer imports another."""

"""The exchange: what was learned elsewhere comes in, what was learned here goes out; no row is made up on the way."""

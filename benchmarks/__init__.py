"""How fast the house is, beside the engines one would otherwise take: same documents, same queries, one run."""

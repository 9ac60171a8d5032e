"""The night: scheduled consolidation of the store."""

"""Memory → prompt: how much room there is, what goes into it, and what makes room."""

"""What a team lead sees: the web pages of experience."""

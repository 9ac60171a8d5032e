"""What outcomes teach: how proven an experience is."""

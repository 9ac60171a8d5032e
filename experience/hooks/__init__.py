"""The door that agents' hosts knock at: a host's event comes in as JSON, what should be said goes out in its shape."""

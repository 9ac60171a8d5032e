"""Message → candidate: what is worth remembering in what was said, found without any model."""

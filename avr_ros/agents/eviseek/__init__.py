"""EviSeek: evidence demands steer what is looked at and what is kept for the answer."""

"""Active visual reasoning over recorded and live panoramas."""

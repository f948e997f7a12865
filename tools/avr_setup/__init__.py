"""What `make` runs before anything else: Python packages, the built overlay, and the lock files."""

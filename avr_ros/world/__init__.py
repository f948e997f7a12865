"""The world model: facts that observations ground, their audit, and their files."""

"""Which processes run together, described once for launch files and for the runner."""

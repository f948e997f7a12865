"""What answers stages: a server, a recorded run, a script."""

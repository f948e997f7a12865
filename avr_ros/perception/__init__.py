"""Perception: from a granted view to the people in it."""

"""Checks of candidate questions: second derivation, visibility, uniqueness, necessity."""

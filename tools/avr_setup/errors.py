"""The one error that set-up reports to its user."""


class SetupError(Exception):
    """Something that set-up needs is missing or failed; the text says what to do about it."""

"""Base classes of the errors that this package raises on purpose."""


class AvrError(Exception):
    """Something went wrong that a user can understand.

    The text is one line: what, where, what to do.

    The command line shows the text and ends with exit code 1.
    """


class BadInputError(AvrError):
    """What the user gave (a file, an option, a data set) cannot be used as it is.

    The command line shows the text and ends with exit code 2.
    """

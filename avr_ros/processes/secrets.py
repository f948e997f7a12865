"""Keys and tokens in the environment, which only the agent's process is started with."""

import re
from collections.abc import Mapping

_SECRET = re.compile(r"(^|_)(API_?KEY|ACCESS_?KEY|SECRET|TOKEN|PASSWORD|CREDENTIALS)(_|$)", re.I)


def is_secret(name: str) -> bool:
    """Whether an environment variable holds a secret by its name, such as ``OPENAI_API_KEY``."""
    return _SECRET.search(name) is not None


def without_secrets(variables: Mapping[str, str]) -> dict[str, str]:
    """The variables without those that hold secrets."""
    return {name: value for name, value in variables.items() if not is_secret(name)}

"""Prints the shell commands that env.sh evaluates."""

import os
import shlex
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from avr_setup.errors import SetupError
from avr_setup.flavour import flavour_from_variables
from avr_setup.shell_environment import shell_variables


def main(root: Path, environment: Path) -> int:
    """Print one export command a variable; fails when the flavour is not set up."""
    try:
        flavour = flavour_from_variables(root)
    except SetupError as error:
        print(f"env.sh: {error}", file=sys.stderr)
        return 1
    if flavour.environment != environment or not flavour.install.is_dir():
        return 1
    variables = shell_variables(root, environment, flavour.install, os.environ)
    for name, value in variables.items():
        print(f"export {name}={shlex.quote(value)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(__file__).resolve().parent.parent, Path(sys.argv[1])))

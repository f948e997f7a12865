"""What env.sh puts into a shell."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path

from avr_setup.site_environment import ros_variables

# Which domain env.sh chose, so that another checkout's env.sh may choose again while a domain that
# the user set stays.
_CHOSEN_DOMAIN = "AVR_ROS_DOMAIN_ID"


def domain_of(root: Path) -> int:
    """The ROS domain of a checkout, 1 to 100, from its path, so that two rarely share one."""
    return 1 + int(hashlib.sha256(str(root).encode()).hexdigest(), 16) % 100


def shell_variables(
    root: Path, environment: Path, overlay: Path, variables: Mapping[str, str]
) -> dict[str, str]:
    """The variables that env.sh exports, given those of the shell."""
    exported = ros_variables(str(environment), str(overlay), variables)
    binaries = str(environment / "bin")
    path = [entry for entry in variables.get("PATH", "").split(os.pathsep) if entry != binaries]
    exported["PATH"] = os.pathsep.join([binaries, *path])
    exported["VIRTUAL_ENV"] = str(environment)
    if variables.get("ROS_DOMAIN_ID") in (None, "", variables.get(_CHOSEN_DOMAIN)):
        domain = str(domain_of(root))
        exported.update({"ROS_DOMAIN_ID": domain, _CHOSEN_DOMAIN: domain})
    return exported

"""The set-ups by name."""

from typing import Final

from avr_ros.processes.description import SetUp
from avr_ros.processes.errors import ArgumentError
from avr_ros.processes.live import LIVE
from avr_ros.processes.replay import REPLAY

SET_UPS: Final[dict[str, SetUp]] = {item.name: item for item in (REPLAY, LIVE)}


def find_set_up(name: str) -> SetUp:
    """The set-up of a name. Raises ArgumentError for one that does not exist."""
    found = SET_UPS.get(name)
    if found is None:
        raise ArgumentError(f"there is no set-up {name!r}; there are {', '.join(SET_UPS)}")
    return found

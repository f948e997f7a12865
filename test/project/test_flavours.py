"""Which environments exist, and which values of ROS_DISTRO and PINS are refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from avr_setup.errors import SetupError
from avr_setup.flavour import all_flavours, flavour_from_variables

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("variables", "environment", "build"),
    [
        ({}, ".venv", "build/jazzy"),
        ({"ROS_DISTRO": "", "PINS": ""}, ".venv", "build/jazzy"),
        ({"ROS_DISTRO": "jazzy"}, ".venv", "build/jazzy"),
        ({"ROS_DISTRO": "kilted"}, ".venv-kilted", "build/kilted"),
        ({"PINS": "robot"}, ".venv-robot", "build/jazzy-robot"),
    ],
)
def test_each_flavour_has_folders_of_its_own(
    variables: dict[str, str], environment: str, build: str
) -> None:
    flavour = flavour_from_variables(ROOT, variables)
    assert flavour.environment == ROOT / environment
    assert flavour.build == ROOT / build
    assert flavour.install.parent == flavour.build


@pytest.mark.parametrize(
    "variables",
    [{"ROS_DISTRO": "humble"}, {"PINS": "newest"}, {"ROS_DISTRO": "kilted", "PINS": "robot"}],
)
def test_what_has_no_packages_is_refused_with_what_to_do(variables: dict[str, str]) -> None:
    with pytest.raises(SetupError, match=r"set|use"):
        flavour_from_variables(ROOT, variables)


def test_flavours_do_not_share_a_folder() -> None:
    flavours = all_flavours(ROOT)
    assert len({flavour.environment for flavour in flavours}) == len(flavours)
    assert len({flavour.build for flavour in flavours}) == len(flavours)

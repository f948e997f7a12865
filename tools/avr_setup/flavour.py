"""Which set of packages is set up: a ROS distribution, and whose versions of NumPy and OpenCV."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from avr_setup.errors import SetupError

DISTRIBUTIONS = ("jazzy", "kilted")
SUPPORTED_PYTHONS = ((3, 10), (3, 11), (3, 12), (3, 13))
ROBOT_PYTHONS = ((3, 10), (3, 11), (3, 12))


@dataclass(frozen=True)
class Flavour:
    """One environment of a checkout, with a folder of its own for everything that it holds.

    `root` is the checkout, `distribution` one of DISTRIBUTIONS; `robot` asks for the NumPy and
    OpenCV that a Jazzy robot has from its system packages.
    """

    root: Path
    distribution: str
    robot: bool

    @property
    def name(self) -> str:
        """The name of the flavour in file names: jazzy, kilted, jazzy-robot."""
        return f"{self.distribution}-robot" if self.robot else self.distribution

    @property
    def environment(self) -> Path:
        """The virtual environment: .venv for Jazzy, else .venv-kilted or .venv-robot."""
        if self.robot:
            return self.root / ".venv-robot"
        return self.root / (".venv" if self.distribution == "jazzy" else f".venv-{self.name}")

    @property
    def build(self) -> Path:
        """Where colcon works: the folders build, install and log stand in it."""
        return self.root / "build" / self.name

    @property
    def install(self) -> Path:
        """The overlay: the ROS prefix that colcon installs the package into."""
        return self.build / "install"

    @property
    def pythons(self) -> tuple[tuple[int, int], ...]:
        """The Python versions that have a lock file: NumPy 1.26 has no wheel for Python 3.13."""
        return ROBOT_PYTHONS if self.robot else SUPPORTED_PYTHONS

    def lock(self, python: tuple[int, int]) -> Path:
        """The lock file for a Python version."""
        return self.root / "requirements" / f"{self.name}-py{python[0]}.{python[1]}.lock"

    @property
    def inputs(self) -> tuple[Path, ...]:
        """The requirement files that the lock files are made from."""
        names = [f"ros-{self.distribution}", "build", "runtime", "development"]
        if self.robot:
            names.append("robot")
        return tuple(self.root / "requirements" / f"{name}.in" for name in names)


def all_flavours(root: Path) -> tuple[Flavour, ...]:
    """Every flavour that has lock files."""
    return (
        Flavour(root, "jazzy", robot=False),
        Flavour(root, "kilted", robot=False),
        Flavour(root, "jazzy", robot=True),
    )


def flavour_from_variables(root: Path, variables: Mapping[str, str] = os.environ) -> Flavour:
    """The flavour that the variables ROS_DISTRO and PINS name.

    Raises SetupError for a value that has no packages here.
    """
    distribution = variables.get("ROS_DISTRO") or "jazzy"
    if distribution not in DISTRIBUTIONS:
        raise SetupError(
            f"ROS_DISTRO is {distribution!r}: set it to jazzy (the default) or kilted, or unset it."
        )
    pins = variables.get("PINS") or ""
    if pins not in ("", "robot"):
        raise SetupError(f"PINS is {pins!r}: set it to robot, or unset it.")
    if pins == "robot" and distribution != "jazzy":
        raise SetupError(
            "PINS=robot stands for a Jazzy robot's system packages: "
            "use it with ROS_DISTRO=jazzy, or unset ROS_DISTRO."
        )
    return Flavour(root, distribution, robot=pins == "robot")

"""A small data set with bags, made once for all tests of the sample world."""

from __future__ import annotations

from pathlib import Path

import pytest

from avr_ros.sample.sample import Sample, ensure_sample
from avr_ros.sample.specification import SampleSpecification
from avr_ros.sample.world import World, simulate

SMALL = SampleSpecification(seed=11, sequences=2, frames=12, people=14, bags=True)


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Sample:
    directory: Path = tmp_path_factory.mktemp("sample") / "small"
    return ensure_sample(directory, SMALL, workers=1)


@pytest.fixture(scope="session")
def worlds() -> list[World]:
    return [simulate(SMALL, index) for index in range(SMALL.sequences)]

"""The sample data set with its questions."""

import pytest

from avr_ros.evaluation.default_sample import DatasetPaths, ensure_default_sample


@pytest.fixture(scope="session")
def sample() -> DatasetPaths:
    """The sample that every command uses by default; kept in the checkout once it was made."""
    return ensure_default_sample()

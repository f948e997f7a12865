"""What a view for training shows is where its labels say, enlarged or not."""

from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from avr_ros.geometry.panorama import JRDB_CYLINDER
from avr_ros.schema.vocabulary import ACTION_INDEX, ACTIONS

# A program of the checkout, which is not installed.
crops = pytest.importorskip("training.crops")
panoramas = pytest.importorskip("training.panoramas")

OUTLINE = (3700.0, 150.0, 3800.0, 330.0)
DISTANCE = 4.0


def panorama() -> NDArray[np.uint8]:
    """Grey, with one white person over the seam."""
    picture = np.full((480, 3760, 3), 60, np.uint8)
    left, top, right, bottom = (int(value) for value in OUTLINE)
    picture[top:bottom, left:] = 255
    picture[top:bottom, : right - 3760] = 255
    return picture


def labels() -> Any:
    """Of that person, who stands 4 m away in the seam's direction and faces the camera."""
    actions = np.zeros((1, len(ACTIONS)), np.bool_)
    actions[0, ACTION_INDEX["standing"]] = True
    azimuth = float(JRDB_CYLINDER.column_to_azimuth(3750.0))
    return panoramas.Panoramas(
        jpeg=np.zeros(0, np.uint8),
        jpeg_end=np.zeros(1, np.int64),
        frame=np.zeros(1, np.int64),
        row_frame=np.zeros(1, np.int64),
        track=np.array([3]),
        outline=np.array([OUTLINE], np.float32),
        visible=np.ones(1, np.float32),
        pixels=np.array([18000]),
        root=np.array([[DISTANCE * np.cos(azimuth), DISTANCE * np.sin(azimuth), 0.0]], np.float32),
        heading=np.array([azimuth + np.pi], np.float32),
        actions=actions,
    )


@settings(max_examples=40, deadline=None)
@given(
    left=st.integers(3400, 3640),
    mirrored=st.booleans(),
    zoom=st.sampled_from([0.85, 1.0, 1.2, 1.3]),
)
def test_box_and_foot_are_where_the_person_is_drawn(left: int, mirrored: bool, zoom: float) -> None:
    view = crops.cut(panorama(), left, zoom)
    if mirrored:
        view = view[:, ::-1]
    told = crops.target(labels(), 0, left, mirrored, 100, zoom)
    rows, columns = np.nonzero(view[..., 0] > 157)
    drawn = [columns.min(), rows.min(), columns.max() + 1, rows.max() + 1]
    assert told.box[0] == pytest.approx(drawn, abs=1.0)
    assert np.count_nonzero(told.weight) == 1
    assert told.identity[0] == 103
    middle = 0.5 * (OUTLINE[0] + OUTLINE[2]) - left - 240
    column = 240 + (-middle if mirrored else middle) * zoom
    # Enlarged, the floor is where it is for somebody so much nearer.
    row = 209.383 + 0.90 * 482.924 / (DISTANCE / zoom)
    assert told.foot[0] == pytest.approx([column, row], abs=0.6)
    assert told.facing[0] == pytest.approx([-1.0, 0.0], abs=1e-5)


def test_recolouring_keeps_grey_grey_and_is_the_same_for_all_views() -> None:
    one = crops.Recolouring.drawn(np.random.default_rng(5))
    grey = np.full((2, 2, 3), 120, np.uint8)
    assert np.ptp(one.of(grey).astype(int)) <= 1
    colourful = np.random.default_rng(1).integers(0, 255, (8, 8, 3)).astype(np.uint8)
    np.testing.assert_array_equal(one.of(colourful), one.of(colourful))
    assert cv2.norm(one.of(colourful), colourful) > 0

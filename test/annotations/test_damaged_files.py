"""Whatever is done to a label file, it loads or is refused by a typed, one-line error."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from avr_ros.annotations.annotation_set import open_annotations
from avr_ros.schema.errors import AvrError

SEQUENCE = "a_0"
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**12), 10**12),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=8),
    st.sampled_from(["pedestrian:1", "Fully_visible", "walking", "true", "000001.jpg", 10**400]),
    st.just([]),
    st.just({}),
)


def documents(person: Any, person_3d: Any) -> dict[str, Any]:
    """A valid file of every kind."""
    pair = [{"pair": "pedestrian:2", "inter_labels": {"hugging": 1}}]
    rich = person(
        1,
        file_id="000000.jpg",
        action_label={"walking": 1},
        social_activity={"walking": 1.0},
        social_group={"cluster_ID": 1, "cluster_stat": 1},
        **{"H-interaction": pair},
    )
    images = [{"id": 1, "width": 752, "height": 480, "file_name": "x/000000.jpg"}]
    camera = {"name": "stitched_image0", "url": "x/000000.jpg", "timestamp": 15.0}
    return {
        "labels/labels_2d_stitched/a_0.json": {
            "labels": {"000000.jpg": [rich, person(2)], "000001.jpg": []}
        },
        "labels/labels_3d/a_0.json": {"labels": {"000000.pcd": [person_3d(1), person_3d(3)]}},
        "labels/labels_2d_pose_stitched_coco/a_0.json": {
            "images": images,
            "annotations": [{"image_id": 1, "track_id": 1, "keypoints": [5, 6, 2] * 17}],
        },
        "labels/labels_2d_head_stitched/a_0.json": {
            "images": images,
            "annotations": [{"image_id": 1, "track_id": 1, "bbox": [1, 2, 3, 4]}],
        },
        "timestamps/a_0/frames_img.json": {
            "data": [{"frame_id": 0, "timestamp": 15.0, "cameras": [camera]}]
        },
    }


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all values inside a document."""
    yield path
    if isinstance(value, (dict, list)):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(inner, (*path, key))


def replaced(document: Any, path: tuple[Any, ...], value: Any) -> Any:
    """The document with the value at a path replaced."""
    if not path:
        return value
    changed = copy.deepcopy(document)
    holder = changed
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value
    return changed


def read_everything(dataset: Any) -> None:
    annotations = open_annotations(dataset.root)
    graph = annotations.scene_graph(SEQUENCE)
    assert np.isfinite(graph.boxes[graph.has_box]).all()
    assert np.isfinite(graph.azimuth).all()
    for row in range(len(graph)):
        graph.interacting_with(row)
        graph.same_group(row)
    for track in graph.tracks.tolist():
        graph.state_changes(track)
    annotations.poses(SEQUENCE)
    annotations.heads(SEQUENCE)


def test_the_undamaged_files_load(dataset: Any, person: Any, person_3d: Any) -> None:
    for path, document in documents(person, person_3d).items():
        dataset.write(path, document)
    read_everything(dataset)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300)
@given(data=st.data())
def test_a_value_replaced(dataset: Any, person: Any, person_3d: Any, data: st.DataObject) -> None:
    files = documents(person, person_3d)
    for path, document in files.items():
        dataset.write(path, document)
    path = data.draw(st.sampled_from(sorted(files)))
    place = data.draw(st.sampled_from(list(places(files[path]))))
    dataset.write(path, json.dumps(replaced(files[path], place, data.draw(SCALARS))))
    try:
        read_everything(dataset)
    except AvrError as error:
        assert "\n" not in str(error)


@pytest.mark.parametrize("index", range(5))
def test_a_file_cut_at_any_place_is_named(
    dataset: Any, person: Any, person_3d: Any, index: int
) -> None:
    files = documents(person, person_3d)
    for path, document in files.items():
        dataset.write(path, document)
    damaged = sorted(files)[index]
    text = json.dumps(files[damaged])
    for cut in range(0, len(text), 7):
        dataset.write(damaged, text[:cut])
        with pytest.raises(AvrError) as caught:
            read_everything(dataset)
        assert damaged in str(caught.value)

"""2D label files: the documented form, what is odd, and what is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from avr_ros.annotations.activity import action_names
from avr_ros.annotations.errors import LabelFileError
from avr_ros.annotations.labels_2d import OCCLUSIONS, Labels2D, load_labels_2d
from avr_ros.annotations.oddities import Oddity, OddityReport
from avr_ros.geometry.panorama import JRDB_CYLINDER
from avr_ros.schema.vocabulary import ACTION_INDEX, ACTIONS, Occlusion


def load(path: Path) -> tuple[Labels2D, OddityReport]:
    report = OddityReport()
    return load_labels_2d(path, JRDB_CYLINDER, report), report


def test_an_entry_of_every_kind(dataset: Any) -> None:
    path = dataset.labels_2d(
        {
            0: [
                {
                    "box": [2962, 63, 299, 397],
                    "label_id": "pedestrian:6",
                    "file_id": "000002.jpg",
                    "attributes": {
                        "area": 42701.01,
                        "interpolated": True,
                        "no_eval": False,
                        "occlusion": "Severely_occluded",
                        "truncated": "true",
                    },
                    "action_label": {"sitting": 1, "talking to someone": 3},
                    "social_activity": {"sitting": 1.0},
                    "social_group": {"cluster_ID": 7, "cluster_stat": 2},
                    "demographics_info": "whatever stands here is not looked at",
                    "H-interaction": [
                        {"pair": "pedestrian:7", "box_pair": [], "inter_labels": {"hugging": 1}}
                    ],
                    "group_info": [],
                }
            ]
        }
    )
    labels, report = load(path)
    assert labels.frames.tolist() == labels.frame.tolist() == [0]
    assert labels.track.tolist() == [6]
    assert labels.box.tolist() == [[2962, 63, 299, 397]]
    assert OCCLUSIONS[labels.occlusion[0]] is Occlusion.SEVERELY_OCCLUDED
    assert (labels.truncated[0], labels.interpolated[0], labels.no_eval[0]) == (1, 1, 0)
    assert action_names(int(labels.action_mask[0])) == ("sitting", "talking to someone")
    talking = ACTION_INDEX["talking to someone"]
    assert int(labels.action_difficulty[0]) >> 2 * talking & 3 == 3
    assert action_names(int(labels.activity_mask[0])) == ("sitting",)
    assert (labels.group[0], labels.group_difficulty[0]) == (7, 2)
    assert labels.interactions.tolist() == [[0, 7, 0]]
    assert labels.interaction_names == ("hugging",)
    assert report.as_dict() == {"interpolated_2d": 1, "file_id_differs": 1}


def test_rows_are_sorted_and_empty_frames_kept(dataset: Any, person: Any) -> None:
    path = dataset.labels_2d({7: [person(2), person(1)], 3: [], 5: [person(9)]})
    labels, report = load(path)
    assert labels.frames.tolist() == [3, 5, 7]
    assert labels.frame.tolist() == [5, 7, 7]
    assert labels.track.tolist() == [9, 1, 2]
    assert report.as_dict() == {}


def test_interactions_follow_their_rows_when_sorted(dataset: Any, person: Any) -> None:
    walking = [{"pair": "pedestrian:1", "inter_labels": {"walking together": "2"}}]
    path = dataset.labels_2d({1: [person(2, **{"H-interaction": walking}), person(1)]})
    labels, _ = load(path)
    assert labels.track.tolist() == [1, 2]
    assert labels.interactions.tolist() == [[1, 1, 0]]


def test_seam_boxes_are_normalised_and_counted(dataset: Any, person: Any) -> None:
    boxes = [(-221.8, 10, 300, 100), (3700, 10, 238.5, 100), (-30, 0, 30, 9), (3730, 0, 30, 9)]
    path = dataset.labels_2d({0: [person(i, box) for i, box in enumerate(boxes)]})
    labels, report = load(path)
    assert labels.box[:, 0].tolist() == [3538.2, 3700, 3730, 3730]
    assert report.count(Oddity.SEAM_BOX) == 2
    assert report.example(Oddity.SEAM_BOX) == "000000.jpg pedestrian:0"


def test_missing_attributes_stay_missing(dataset: Any, person: Any) -> None:
    path = dataset.labels_2d(
        {
            0: [
                person(0, attributes={"interpolated": False, "truncated": None}),
                person(1, attributes=None),
                person(2, attributes={"occlusion": None, "interpolated": True, "no_eval": True}),
            ]
        }
    )
    labels, report = load(path)
    assert labels.occlusion.tolist() == [-1, -1, -1]
    assert labels.truncated.tolist() == [-1, -1, -1]
    assert labels.interpolated.tolist() == [0, -1, 1]
    assert labels.no_eval.tolist() == [-1, -1, 1]
    assert labels.action_known.tolist() == [False] * 3
    assert labels.group.tolist() == [-1] * 3
    assert report.as_dict() == {
        "missing_occlusion": 3,
        "missing_truncated": 3,
        "missing_interpolated": 1,
        "interpolated_2d": 1,
        "not_evaluated": 1,
    }


def test_rows_outside_and_boxes_without_area(dataset: Any, person: Any) -> None:
    boxes = [(0, -5, 10, 20), (0, 470, 10, 20), (0, 460, 10, 20), (0, 0, 0, 20), (0, 0, 5, -1)]
    path = dataset.labels_2d({0: [person(i, box) for i, box in enumerate(boxes)]})
    labels, report = load(path)
    assert labels.track.tolist() == [0, 1, 2]
    assert labels.box[0].tolist() == [0, -5, 10, 20]
    assert report.as_dict() == {"rows_outside": 2, "empty_box": 2}


def test_actions_impossible_to_tell_are_unknown(dataset: Any, person: Any) -> None:
    path = dataset.labels_2d(
        {
            0: [
                person(0, action_label={"impossible": 1}),
                person(1, action_label={"impossible": "1", "walking": "2"}),
                person(2, action_label={}),
            ]
        }
    )
    labels, report = load(path)
    assert labels.action_known.tolist() == [False, True, True]
    assert [action_names(int(mask)) for mask in labels.action_mask] == [(), ("walking",), ()]
    assert report.count(Oddity.IMPOSSIBLE_ACTION) == 2


def test_door_actions_have_aliases(dataset: Any, person: Any) -> None:
    actions = {"opening the door": 3, "pushing the door": 2, "holding the door": 3}
    labels, _ = load(dataset.labels_2d({0: [person(0, action_label=actions)]}))
    assert action_names(int(labels.action_mask[0])) == ("interaction with door",)
    door = ACTION_INDEX["interaction with door"]
    assert int(labels.action_difficulty[0]) >> 2 * door & 3 == 2


def test_the_whole_vocabulary_fits(dataset: Any, person: Any) -> None:
    actions = {name: 3 for name in ACTIONS if name != "impossible"}
    labels, _ = load(dataset.labels_2d({0: [person(0, action_label=actions)]}))
    assert action_names(int(labels.action_mask[0])) == ACTIONS[1:]
    assert int(labels.action_difficulty[0]) == (1 << 56) - 4


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"box": [1, 2, 3]}, "box"),
        ({"box": [1, 2, 3, "4"]}, "box"),
        ({"box": [1, 2, 3, True]}, "box"),
        ({"box": [1, 2, 3, 10**400]}, "box"),
        ({"box": None}, "box"),
        ({"label_id": "person:-1"}, "label_id"),
        ({"label_id": "pedestrian:-1"}, "label_id"),
        ({"label_id": "pedestrian:1\n"}, "label_id"),
        ({"label_id": 1}, "label_id"),
        ({"attributes": []}, "attributes"),
        ({"attributes": {"occlusion": "Visible"}}, "attributes/occlusion"),
        ({"attributes": {"occlusion": ["Fully_visible"]}}, "attributes/occlusion"),
        ({"attributes": {"truncated": "maybe"}}, "attributes/truncated"),
        ({"attributes": {"interpolated": 2}}, "attributes/interpolated"),
        ({"action_label": {"flying": 1}}, "action_label/flying"),
        ({"action_label": {"walking": 4}}, "action_label/walking"),
        ({"action_label": {"walking": 1.5}}, "action_label/walking"),
        ({"action_label": {"walking": []}}, "action_label"),
        ({"action_label": ["walking"]}, "action_label"),
        ({"social_activity": {"walking": "x"}}, "social_activity/walking"),
        ({"social_group": {"cluster_stat": 1}}, "social_group"),
        ({"social_group": {"cluster_ID": "7"}}, "social_group/cluster_ID"),
        ({"social_group": {"cluster_ID": 7, "cluster_stat": 9}}, "social_group/cluster_stat"),
        ({"social_group": 7}, "social_group"),
        ({"H-interaction": {}}, "H-interaction"),
        ({"H-interaction": [{"inter_labels": {}}]}, "H-interaction[0]"),
        ({"H-interaction": [{"pair": "x", "inter_labels": {}}]}, "H-interaction[0]/pair"),
        ({"H-interaction": [{"pair": "pedestrian:2"}]}, "H-interaction[0]/inter_labels"),
    ],
)
def test_what_is_wrong_is_refused_with_its_place(
    dataset: Any, person: Any, change: dict[str, object], where: str
) -> None:
    path = dataset.labels_2d({3: [person(0)], 4: [person(0), {**person(1), **change}]})
    with pytest.raises(LabelFileError) as caught:
        load(path)
    assert caught.value.where == f"labels/000004.jpg[1]/{where}"
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("key", ["box", "label_id"])
def test_missing_keys(dataset: Any, person: Any, key: str) -> None:
    entry = person(0)
    del entry[key]
    with pytest.raises(LabelFileError, match=f"no '{key}'"):
        load(dataset.labels_2d({0: [entry]}))


def test_boxes_far_off_the_panorama(dataset: Any, person: Any) -> None:
    for box in (
        (-4000, 0, 9, 9),
        (7600, 0, 9, 9),
        (0, 0, 3761, 9),
        (0, 9e9, 9, 9),
        (0, 0, 9, 1e30),
    ):
        with pytest.raises(LabelFileError, match="pedestrian:1/box"):
            load(dataset.labels_2d({0: [person(0)], 1: [person(1, box)]}))


def test_a_person_twice_in_a_frame(dataset: Any, person: Any) -> None:
    with pytest.raises(LabelFileError, match="twice"):
        load(dataset.labels_2d({0: [person(4), person(4)]}))


@pytest.mark.parametrize(
    "content",
    [
        '{"labels": {"000001.jpg": [], "0000001.jpg": []}}',
        '{"labels": {"000001.jpg": [], "000001.jpg": []}}',
        '{"labels": {"../../000001.jpg": []}}',
        '{"labels": {"1.jpg": []}}',
        '{"labels": {"000001.jpg": {}}}',
        '{"labels": {"000001.jpg": [[]]}}',
        '{"labels": []}',
        '{"detections": {"000001.jpg": []}}',
        "{}",
    ],
)
def test_files_of_another_form(dataset: Any, content: str) -> None:
    with pytest.raises(LabelFileError):
        load(dataset.write("labels/labels_2d_stitched/x.json", content))


def test_other_keys_at_the_top_are_passed_over(dataset: Any) -> None:
    content = '{"version": [1, {"a": 2}], "labels": {"000001.jpg": []}, "more": null}'
    labels, _ = load(dataset.write("labels/labels_2d_stitched/x.json", content))
    assert labels.frames.tolist() == [1]
    assert labels.box.shape == (0, 4)

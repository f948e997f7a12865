"""Labels of a sequence in JRDB's formats.

Five files come out of what the renderer saw: 2D boxes with actions and groups, the same with
JRDB-Social's interactions, 3D boxes, poses and heads (COCO). Pixels of the panorama and metres of
the label frame; demographics are never written.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from avr_ros.geometry.labels_frame import rot_z_from_heading
from avr_ros.geometry.panorama import JRDB_CYLINDER, wrap_angle
from avr_ros.sample import faults
from avr_ros.sample.body import JOINT, REFERENCE_STATURE
from avr_ros.sample.faults import FaultPlan, box_fault
from avr_ros.sample.heads import HEAD_RADII
from avr_ros.sample.occlusion import SEVERELY_OCCLUDED_FROM, occlusion_class
from avr_ros.sample.render import MAX_ANNOTATED_DISTANCE, Sight
from avr_ros.sample.world import World
from avr_ros.schema.seeds import generator
from avr_ros.schema.vocabulary import KEYPOINTS

Json = dict[str, Any]

SKELETON: Final = (
    (1, 2),
    (0, 4),
    (3, 4),
    (8, 10),
    (5, 7),
    (10, 13),
    (14, 16),
    (4, 5),
    (7, 12),
    (4, 8),
    (3, 6),
    (13, 15),
    (11, 14),
    (6, 9),
    (8, 11),
)
"""JRDB-Pose's bones, as pairs of keypoint positions from 0."""

POSE_FRAME_STEP: Final = 2
"""Poses are annotated on every second frame, those with an even image id."""

_TOGETHER: Final = {
    "walking": "walking together",
    "standing": "standing together",
    "sitting": "sitting together",
    "going upstairs": "going upstairs together",
    "going downstairs": "going downstairs together",
    "bending": "bending together",
}


class LabelWriter:
    """Collects labels frame by frame and gives the finished files."""

    def __init__(self, world: World, plan: FaultPlan) -> None:
        self.world = world
        self.plan = plan
        self._rng = generator(world.seed, "label faults", world.index)
        self._flags = generator(world.seed, "label flags", world.index)
        self._turns = {
            track.index: int(self._flags.integers(-1, 2)) if self._flags.random() < 0.3 else 0
            for track in world.tracks
        }
        self.boxes_2d: dict[str, list[Json]] = {}
        self.social: dict[str, list[Json]] = {}
        self.boxes_3d: dict[str, list[Json]] = {}
        self._pose_images: list[Json] = []
        self._poses: list[Json] = []
        self._heads: list[Json] = []

    def add(self, frame: int, sights: list[Sight]) -> None:
        """Label one frame."""
        image, cloud = f"{frame:06d}.jpg", f"{frame:06d}.pcd"
        labelled = [
            s for s in sights if s.distance <= MAX_ANNOTATED_DISTANCE and box_2d(s) is not None
        ]
        groups: dict[int, list[Sight]] = {}
        for sight in labelled:
            groups.setdefault(sight.track.doing(frame).group, []).append(sight)
        rows_2d: list[Json] = []
        rows_social: list[Json] = []
        rows_3d: list[Json] = []
        for sight in labelled:
            side = self.plan.one_sided_kind(sight.track.index, frame)
            mine = groups[sight.track.doing(frame).group]
            doing = _doing(sight, mine, frame)
            if side != faults.ONLY_3D:
                row = self._row_2d(sight, doing, frame)
                rows_2d.append(row)
                rows_social.append(self._row_social(row, sight, mine, frame))
            if side != faults.ONLY_2D:
                rows_3d.append(self._row_3d(sight, doing, frame))
        self.boxes_2d[image] = rows_2d
        self.social[image] = rows_social
        if frame not in self.plan.frames_without_3d:
            self.boxes_3d[cloud] = rows_3d
        self._add_pose(frame, labelled)

    def files(self) -> dict[str, Json]:
        """File paths below the labels folder, with their content."""
        if self.plan.extra_3d_key:
            self.boxes_3d[f"{self.world.frames:06d}.pcd"] = []
        name = f"{self.world.name}.json"
        return {
            f"labels_2d_stitched/{name}": {"labels": self.boxes_2d},
            f"labels_2d_activity_social_stitched/{name}": {"labels": self.social},
            f"labels_3d/{name}": {"labels": self.boxes_3d},
            f"labels_2d_pose_stitched_coco/{name}": self._coco("JRDB-Pose", self._poses, True),
            f"labels_2d_head_stitched/{name}": self._coco("JRDB heads", self._heads, False),
        }

    def _row_2d(self, sight: Sight, doing: Json, frame: int) -> Json:
        box = box_2d(sight)
        assert box is not None
        occlusion = occlusion_class(sight.visible)
        top, bottom = sight.outline[1], sight.outline[3]
        cut = top < 0.0 or bottom > JRDB_CYLINDER.height
        attributes: Json = {
            "area": float(box[2] * box[3]),
            "interpolated": bool(self._flags.random() < 0.49),
            "no_eval": bool(box[3] < 20),
            "occlusion": occlusion.value,
            "truncated": "true" if cut else "false",
        }
        row: Json = {
            "box": box,
            "label_id": f"pedestrian:{sight.track.index}",
            "file_id": f"{frame + self.plan.file_id_shift:06d}.jpg",
            "attributes": attributes,
            **doing,
        }
        fault = box_fault(self._rng)
        if fault is not None:
            self.plan.boxes.append((fault, sight.track.index, frame))
        if fault == faults.NULL_ATTRIBUTES:
            row["attributes"] = None
        elif fault == faults.NO_ATTRIBUTES:
            del row["attributes"]
        elif fault == faults.NO_OCCLUSION:
            del attributes["occlusion"]
        elif fault == faults.TRUNCATED_NULL:
            attributes["truncated"] = None
        elif fault == faults.NO_ACTION:
            for key in ("action_label", "social_activity", "social_group"):
                del row[key]
        return row

    def _row_social(self, row: Json, sight: Sight, members: list[Sight], frame: int) -> Json:
        doing = sight.track.doing(frame)
        company = [other for other in members if other is not sight]
        interactions = []
        for other in company:
            what: Json = {}
            theirs = other.track.doing(frame)
            if theirs.posture == doing.posture and doing.posture in _TOGETHER:
                what[_TOGETHER[doing.posture]] = 1
            words = {"talking to someone", "listening to someone"}
            if words & set(doing.gestures) and words & set(theirs.gestures):
                what["conversation"] = 1
            if what:
                interactions.append(
                    {
                        "pair": f"pedestrian:{other.track.index}",
                        "box_pair": box_2d(other),
                        "inter_labels": what,
                    }
                )
        group: list[Json] = []
        if company:
            group.append(_group_info(self.world, sight, company, frame))
        return {**row, "demographics_info": [], "H-interaction": interactions, "group_info": group}

    def _row_3d(self, sight: Sight, doing: Json, frame: int) -> Json:
        centre, size, heading = box_3d(sight, self.world, frame)
        rot_z = float(rot_z_from_heading(heading))
        turn = self._turns[sight.track.index]
        # The files hold angles of either turn.
        if turn and -2.0 * math.pi < rot_z + 2.0 * math.pi * turn < 2.0 * math.pi:
            rot_z += 2.0 * math.pi * turn
        distance = float(np.linalg.norm(centre))
        points = int(sight.visible * 9000.0 / max(distance, 1.0) ** 2)
        return {
            "box": {
                "cx": round(float(centre[0]), 5),
                "cy": round(float(centre[1]), 5),
                "cz": round(float(centre[2]), 5),
                "l": round(float(size[0]), 5),
                "w": round(float(size[1]), 5),
                "h": round(float(size[2]), 5),
                "rot_z": round(rot_z, 5),
            },
            "label_id": f"pedestrian:{sight.track.index}",
            "file_id": f"{frame + self.plan.file_id_shift:06d}.pcd",
            "observation_angle": round(
                float(wrap_angle(rot_z - math.atan2(float(centre[1]), float(centre[0])))), 5
            ),
            "attributes": {
                "distance": round(distance, 5),
                "interpolated": bool(self._flags.random() < 0.998),
                "no_eval": False,
                "num_points": points,
            },
            **doing,
        }

    def _add_pose(self, frame: int, labelled: list[Sight]) -> None:
        image_id = frame + 1
        if image_id % POSE_FRAME_STEP:
            return
        self._pose_images.append(
            {
                "id": image_id,
                "width": 752,
                "height": 480,
                "file_name": f"image_stitched/{self.world.name}/{frame:06d}.jpg",
                "license": 0,
                "flickr_url": "",
                "coco_url": "",
                "date_captured": 0,
            }
        )
        for sight in labelled:
            if sight.visible < SEVERELY_OCCLUDED_FROM:
                continue
            points = [
                value
                for column, row, seen in sight.keypoints
                for value in (
                    round(2.0 * float(column)) / 2.0,
                    round(2.0 * float(row)) / 2.0,
                    int(seen),
                )
            ]
            self._poses.append(
                {
                    "id": len(self._poses) + 1,
                    "track_id": sight.track.index,
                    "image_id": image_id,
                    "category_id": 1,
                    "is_crowd": 0,
                    "keypoints": points,
                    "num_keypoints": len(KEYPOINTS),
                }
            )
            head = head_box(sight)
            if head is not None:
                self._heads.append(
                    {
                        "id": len(self._heads) + 1,
                        "track_id": sight.track.index,
                        "image_id": image_id,
                        "category_id": 1,
                        "is_crowd": 0,
                        "bbox": head,
                        "area": head[2] * head[3],
                    }
                )

    def _coco(self, description: str, annotations: list[Json], pose: bool) -> Json:
        category: Json = {"id": 1, "name": "person" if pose else "head"}
        if pose:
            category["keypoints"] = list(KEYPOINTS)
            category["skeleton"] = [list(bone) for bone in SKELETON]
        return {
            "info": {
                "description": description,
                "contributor": "avr_ros sample",
                "version": "1.0",
                "year": "2024",
                "url": "",
                "date_created": "",
            },
            "licenses": [{"id": 0, "name": "", "url": ""}],
            "categories": [category],
            "images": self._pose_images,
            "annotations": annotations,
        }


def box_2d(sight: Sight) -> list[int] | None:
    """The tight box of the whole body as whole pixels x, y, w, h; rows are cut to the picture.

    The middle lies in the picture, so that a box over the seam leaves it on one side. None for
    somebody of whom no row is in the picture.
    """
    left, top, right, bottom = sight.outline
    first, last = math.floor(left), math.ceil(right)
    high, low = max(math.floor(top), 0), min(math.ceil(bottom), JRDB_CYLINDER.height)
    if low - high < 2 or last - first < 2:
        return None
    width = last - first
    turns = math.floor((first + width / 2.0) / JRDB_CYLINDER.width)
    return [first - turns * JRDB_CYLINDER.width, high, width, low - high]


def box_3d(sight: Sight, world: World, frame: int) -> tuple[np.ndarray, np.ndarray, float]:
    """Centre (3,), size (l, w, h) and heading of the body in the label frame."""
    heading = float(sight.track.heading[frame] - world.robot[frame, 2])
    cosine, sine = math.cos(heading), math.sin(heading)
    joints = sight.joints
    scale = sight.track.appearance.stature / REFERENCE_STATURE
    along = cosine * joints[:, 0] + sine * joints[:, 1]
    across = cosine * joints[:, 1] - sine * joints[:, 0]
    thick = 0.09 * scale
    head = joints[JOINT["head"]]
    top = max(float(head[2]) + 0.13 * scale, float(joints[:, 2].max()) + 0.05 * scale)
    bottom = float(joints[:, 2].min()) - 0.04 * scale
    low = np.array([along.min() - thick, across.min() - thick, bottom])
    high = np.array([along.max() + thick, across.max() + thick, top])
    middle, size = 0.5 * (low + high), high - low
    centre = np.array(
        [cosine * middle[0] - sine * middle[1], sine * middle[0] + cosine * middle[1], middle[2]]
    )
    return centre, size, float(wrap_angle(heading))


def head_box(sight: Sight) -> list[int] | None:
    """Box of the head as whole pixels, or None where it is outside the picture."""
    head = sight.joints[JOINT["head"]]
    scale = sight.track.appearance.stature / REFERENCE_STATURE
    distance = max(float(np.hypot(head[0], head[1])), 0.1)
    column, row = (float(v) for v in JRDB_CYLINDER.project(head))
    half_width = JRDB_CYLINDER.columns_per_radian * 1.05 * HEAD_RADII[0] * scale / distance
    half_height = JRDB_CYLINDER.vertical_focal_length * 1.08 * HEAD_RADII[2] * scale / distance
    high = max(math.floor(row - half_height), 0)
    low = min(math.ceil(row + half_height), JRDB_CYLINDER.height)
    if low - high < 2:
        return None
    first = math.floor(column - half_width)
    return [first, high, math.ceil(column + half_width) - first, low - high]


def _difficulty(sight: Sight) -> int:
    """1 easy to 3 hard, from how much and how large the person is seen."""
    height = sight.outline[3] - sight.outline[1]
    if sight.visible >= 0.5 and height >= 80.0:
        return 1
    return 2 if sight.visible >= 0.2 and height >= 45.0 else 3


def _doing(sight: Sight, members: list[Sight], frame: int) -> Json:
    """The action, social activity and group keys of a box; ``members`` are all of its group."""
    doing = sight.track.doing(frame)
    difficulty = _difficulty(sight)
    actions = dict.fromkeys((doing.posture, *doing.gestures), difficulty)
    counts: dict[str, int] = {}
    for member in members:
        theirs = member.track.doing(frame)
        for name in (theirs.posture, *theirs.gestures):
            counts[name] = counts.get(name, 0) + 1
    needed = 2 if len(members) > 1 else 1
    social = {name: float(difficulty) for name, count in counts.items() if count >= needed}
    stat = min(3, 1 + (len(members) > 3) + (sight.visible < 0.2))
    return {
        "action_label": actions,
        "social_activity": social,
        "social_group": {"cluster_ID": doing.group, "cluster_stat": stat},
    }


def _group_info(world: World, sight: Sight, company: list[Sight], frame: int) -> Json:
    """JRDB-Social's description of a group."""
    doing = sight.track.doing(frame)
    ground = {"pavement": "pathway", "sidewalk": "sidewalk", "floor": "floor", "pathway": "pathway"}
    body = {"sitting": "chair" if doing.table else "bench"}.get(
        doing.posture, ground[world.scene.ground_kind]
    )
    gestures = [g for member in (sight, *company) for g in member.track.doing(frame).gestures]
    if "eating sth" in gestures:
        aim = "socializing&eating/ordering_food"
    elif {"typing", "reading"} & set(gestures):
        aim = "studying/writing/reading/working"
    elif doing.posture in ("walking", "running"):
        aim = "socializing&commuting" if gestures else "commuting"
    else:
        aim = "socializing"
    shared = [doing.posture]
    if {"talking to someone", "listening to someone"} & set(doing.gestures):
        shared.append("conversation")
    content = "table" if doing.table else "wall" if world.scene.indoor else "tree"
    return {
        "venue": {world.scene.venue: "1"},
        "aim": {aim: "1"},
        "inter": dict.fromkeys(shared, "1"),
        "BPC": {body: "1"},
        "SSC": {content: "2"},
        "location_pre": {"at" if doing.table else "near": "1"},
    }

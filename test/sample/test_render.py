"""Pictures agree with geometry: boxes, occlusion, keypoints; statistics follow the real data."""

from __future__ import annotations

import dataclasses

import cv2
import numpy as np
import pytest

from avr_ros.geometry.boxes import iou
from avr_ros.geometry.labels_frame import panorama_box, rot_z_from_heading
from avr_ros.geometry.panorama import JRDB_CYLINDER
from avr_ros.sample.drawing import CARRIED, FRACTION_BITS, UNIT, Canvas
from avr_ros.sample.figures import mark_figure
from avr_ros.sample.labels import box_2d, box_3d
from avr_ros.sample.occlusion import occlusion_class, visible_pixels
from avr_ros.sample.render import Renderer, Sight
from avr_ros.sample.specification import SampleSpecification
from avr_ros.sample.world import World, simulate
from avr_ros.schema.vocabulary import Occlusion

WIDTH, HEIGHT = JRDB_CYLINDER.width, JRDB_CYLINDER.height


@pytest.fixture(scope="module")
def crowd() -> tuple[World, list[Sight], np.ndarray, np.ndarray]:
    world = simulate(SampleSpecification(seed=2, sequences=6, frames=60, people=25), 2)
    image, sights, ids = Renderer(world).frame(30)
    return world, sights, ids, image


def in_picture(sight: Sight) -> bool:
    return sight.outline[1] > 0.0 and sight.outline[3] < HEIGHT


def test_pictures_are_panoramas(crowd: tuple[World, list[Sight], np.ndarray, np.ndarray]) -> None:
    image = crowd[3]
    assert image.shape == (HEIGHT, WIDTH, 3) and image.dtype == np.uint8
    assert image.std() > 20.0


def test_boxes_are_tight_around_the_silhouette(
    crowd: tuple[World, list[Sight], np.ndarray, np.ndarray],
) -> None:
    _, sights, ids, _ = crowd
    checked = 0
    for index, sight in enumerate(sights):
        box = box_2d(sight)
        if box is None or sight.visible < 0.98 or not in_picture(sight):
            continue
        columns = (np.arange(box[0] - 4, box[0] + box[2] + 4)) % WIDTH
        mask = (ids == index + 1)[:, columns]
        rows = np.flatnonzero(mask.any(axis=1))
        inside = np.flatnonzero(mask.any(axis=0))
        assert rows[0] == pytest.approx(box[1], abs=2)
        assert rows[-1] + 1 == pytest.approx(box[1] + box[3], abs=2)
        assert inside[0] == pytest.approx(4, abs=2)
        assert inside[-1] + 1 == pytest.approx(4 + box[2], abs=2)
        checked += 1
    assert checked >= 5


def test_nobody_is_seen_outside_their_box(
    crowd: tuple[World, list[Sight], np.ndarray, np.ndarray],
) -> None:
    _, sights, ids, _ = crowd
    for index, sight in enumerate(sights):
        box = box_2d(sight)
        assert box is not None
        mask = ids == index + 1
        rows = slice(box[1], box[1] + box[3])
        columns = np.arange(box[0], box[0] + box[2]) % WIDTH
        within = int(mask[rows][:, columns].sum())
        assert within >= 0.99 * mask.sum()
        assert sight.pixels == mask.sum()


def test_3d_boxes_project_onto_2d_boxes(
    crowd: tuple[World, list[Sight], np.ndarray, np.ndarray],
) -> None:
    world, sights, _, _ = crowd
    overlaps, middles = [], []
    for sight in sights:
        box = box_2d(sight)
        if box is None or not in_picture(sight):
            continue
        centre, size, heading = box_3d(sight, world, 30)
        projected = panorama_box(
            [*centre, *size, float(rot_z_from_heading(heading))], JRDB_CYLINDER
        )
        overlaps.append(float(iou(projected, box, WIDTH)))
        offset = projected[0] + projected[2] / 2 - (box[0] + box[2] / 2)
        middles.append(abs((offset + WIDTH / 2) % WIDTH - WIDTH / 2) / box[2])
    # The 3D box stands around the body, so its outline is a little larger.
    assert np.median(overlaps) > 0.65
    assert min(overlaps) > 0.4
    assert max(middles) < 0.3


def test_feet_of_3d_boxes_are_on_the_floor(
    crowd: tuple[World, list[Sight], np.ndarray, np.ndarray],
) -> None:
    world, sights, _, _ = crowd
    for sight in sights:
        centre, size, _ = box_3d(sight, world, 30)
        posture = sight.track.doing(30).posture
        if posture in ("walking", "standing", "running"):
            raised = sight.track.root[30, 2]
            assert centre[2] - size[2] / 2 == pytest.approx(-0.9 + raised, abs=0.12)
            assert 1.4 < size[2] < 2.35


def test_keypoints_lie_in_the_box_and_in_the_body(
    crowd: tuple[World, list[Sight], np.ndarray, np.ndarray],
) -> None:
    _, sights, ids, _ = crowd
    seen = 0
    for index, sight in enumerate(sights):
        left, top, right, bottom = sight.outline
        for column, row, visibility in sight.keypoints:
            offset = (column - left + WIDTH / 2) % WIDTH - WIDTH / 2
            assert -1.0 <= offset <= right - left + 1.0
            assert top - 1.0 <= row <= bottom + 1.0
            if visibility == 2:
                assert ids[int(row), int(column) % WIDTH] == index + 1
                seen += 1
            elif visibility == 0:
                assert not 0 <= row < HEIGHT
    assert seen > 50


def test_occlusion_is_what_a_pixel_by_pixel_search_finds() -> None:
    world = simulate(SampleSpecification(seed=4, sequences=1, frames=6, people=16), 0)
    # Nothing but people: whoever is nearest in a pixel is seen there.
    bare = dataclasses.replace(world.scene, panels=[], solids=[])
    world = dataclasses.replace(world, scene=bare)
    renderer = Renderer(world)
    frame = 3
    _, sights, ids = renderer.frame(frame)
    present = [track for track in world.tracks if track.present(frame)]
    figures = renderer._figures(renderer._subjects(present, frame), world.robot[frame])
    nearest = np.full((HEIGHT, WIDTH), np.inf)
    owner = np.zeros((HEIGHT, WIDTH), np.uint8)
    whole = {}
    walls = renderer._backdrop.far(world.robot[frame])
    for figure in figures:
        canvas = Canvas(np.zeros((HEIGHT, WIDTH, 3), np.uint8))
        whole[figure.identity] = mark_figure(canvas, figure)
        body = canvas.ids == figure.identity
        mask = np.zeros((HEIGHT, WIDTH), np.uint8)
        for ink in figure.inks:
            if ink.kind == CARRIED:
                for shift in (-WIDTH, 0, WIDTH):
                    moved = ink.points + np.array([shift * UNIT, 0], np.int32)
                    cv2.fillConvexPoly(mask, moved, (1,), cv2.LINE_8, FRACTION_BITS)
        carried = (mask > 0) & ~body
        front = figure.depth < nearest
        owner[front & body] = figure.identity
        owner[front & carried] = 0
        nearest[front & (body | carried)] = figure.depth
    rows = np.arange(HEIGHT)[:, None] + 0.5
    hidden = (nearest - 0.3 > walls.distance) & (rows >= walls.top) & (rows < walls.bottom)
    owner[hidden] = 0
    assert np.array_equal(owner, ids)
    counts = visible_pixels(ids, len(present))
    for index, sight in enumerate(sights):
        assert sight.visible == pytest.approx(
            counts[index + 1] / max(whole[index + 1], 1), abs=1e-9
        )


def test_occlusion_classes_by_share() -> None:
    assert occlusion_class(1.0) is Occlusion.FULLY_VISIBLE
    assert occlusion_class(0.7) is Occlusion.MOSTLY_VISIBLE
    assert occlusion_class(0.3) is Occlusion.SEVERELY_OCCLUDED
    assert occlusion_class(0.0) is Occlusion.FULLY_OCCLUDED


def test_frames_do_not_depend_on_what_was_drawn_before() -> None:
    world = simulate(SampleSpecification(seed=6, sequences=1, frames=5, people=5), 0)
    first = Renderer(world)
    second = Renderer(world)
    for frame in (0, 2, 4):
        second.frame(frame)
    assert np.array_equal(first.frame(3)[0], second.frame(3)[0])


def test_a_frame_without_people_is_a_picture_all_the_same() -> None:
    world = simulate(SampleSpecification(seed=1, sequences=1, frames=2, people=1), 0)
    empty = dataclasses.replace(world, tracks=[])
    image, sights, ids = Renderer(empty).frame(0)
    assert image.shape == (HEIGHT, WIDTH, 3)
    assert sights == [] and not ids.any()


def test_crowds_are_occluded_like_the_real_ones() -> None:
    specification = SampleSpecification(seed=8, sequences=6, frames=120, people=25)
    shares, heights = [], []
    for index in (0, 2, 4):
        world = simulate(specification, index)
        renderer = Renderer(world)
        for frame in (10, 100):
            for sight in renderer.frame(frame)[1]:
                shares.append(occlusion_class(sight.visible))
                box = box_2d(sight)
                heights.append(box[3] if box is not None else 0)
    hidden = sum(s in (Occlusion.SEVERELY_OCCLUDED, Occlusion.FULLY_OCCLUDED) for s in shares)
    assert 0.35 < hidden / len(shares) < 0.7
    assert 70.0 < np.median(heights) < 200.0
    assert np.percentile(heights, 95) > 200.0

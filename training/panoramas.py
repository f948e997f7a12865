"""Panoramas of the sample world for training, drawn once and kept on disk.

Each sequence becomes two files: ``<seed>.npz`` holds the frames as JPEG bytes, as a recording would
hold them, and one row for each person in each frame. Seeds below `FIRST_UNSEEN_SEED` are for
training; the default sample's seed and the held-out style are refused.

Run as ``python -m training.panoramas FOLDER --sequences 180``; what is there is kept.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from avr_ros.sample.defaults import DEFAULT_SEED
from avr_ros.sample.render import JPEG_QUALITY, Renderer, Sight
from avr_ros.sample.specification import SampleSpecification
from avr_ros.sample.styles import HELD_OUT_STYLE, TRAINED_STYLES
from avr_ros.sample.world import World, simulate
from avr_ros.schema.errors import BadInputError
from avr_ros.schema.seeds import generator
from avr_ros.schema.vocabulary import ACTION_INDEX, ACTIONS

FIRST_SEED: Final = 1000
FIRST_UNSEEN_SEED: Final = 1900
"""Seeds from here on are never trained on."""

FRAMES: Final = 150
"""Frames of a simulated sequence."""

FRAME_STEP: Final = 15
"""Frames between two drawn ones, so that every second pair is 30 apart."""

PEOPLE: Final = (25, 25, 30, 15, 25, 35, 25, 20)
"""People present at a time, by sequence in turn."""


@dataclass(frozen=True, eq=False)
class Panoramas:
    """The drawn frames of one sequence and its rows, one for each person in each frame.

    ``jpeg`` holds the files one after another, ``jpeg_end`` (F,) where each ends, ``frame`` (F,)
    their numbers. Rows (N): ``row_frame`` the position in ``frame``, ``track``, ``outline`` (N, 4)
    left, top, right, bottom of the whole body in panorama pixels (not wrapped, not cut),
    ``visible`` the share of the silhouette seen, ``pixels`` its number of pixels, ``root`` (N, 3)
    the floor below the pelvis in the label frame, ``heading`` (N,) where the body faces there,
    ``actions`` (N, 28) booleans.
    """

    jpeg: NDArray[np.uint8]
    jpeg_end: NDArray[np.int64]
    frame: NDArray[np.int64]
    row_frame: NDArray[np.int64]
    track: NDArray[np.int64]
    outline: NDArray[np.float32]
    visible: NDArray[np.float32]
    pixels: NDArray[np.int64]
    root: NDArray[np.float32]
    heading: NDArray[np.float32]
    actions: NDArray[np.bool_]

    def image(self, position: int) -> NDArray[np.uint8]:
        """Decode the frame at a position, (480, 3760, 3) uint8, blue-green-red."""
        start = int(self.jpeg_end[position - 1]) if position else 0
        decoded: Any = cv2.imdecode(
            self.jpeg[start : int(self.jpeg_end[position])], cv2.IMREAD_COLOR
        )
        return np.asarray(decoded, np.uint8)


def specification(seed: int, style: str | None = None) -> SampleSpecification:
    """The one-sequence sample of a seed; the style goes round the trained ones unless given."""
    if seed == DEFAULT_SEED:
        raise BadInputError(f"seed {seed} is the default sample's: nothing is developed on it")
    return SampleSpecification(
        seed=seed,
        sequences=1,
        frames=FRAMES,
        people=PEOPLE[seed // len(TRAINED_STYLES) % len(PEOPLE)],
        style=TRAINED_STYLES[seed % len(TRAINED_STYLES)] if style is None else style,
    )


def draw(seed: int, style: str | None = None, step: int = FRAME_STEP) -> Panoramas:
    """Simulate the sequence of a seed and draw every ``step``-th frame from a seeded first one."""
    world = simulate(specification(seed, style), 0)
    renderer = Renderer(world)
    first = int(generator(seed, "training frames").integers(step))
    frames = list(range(first, FRAMES, step))
    files: list[NDArray[np.uint8]] = []
    rows: list[tuple[int, Sight]] = []
    for position, frame in enumerate(frames):
        image, sights, _ = renderer.frame(frame)
        good, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        assert good
        files.append(np.asarray(data, np.uint8).ravel())
        rows.extend((position, sight) for sight in sights)
    return Panoramas(
        jpeg=np.concatenate(files),
        jpeg_end=np.cumsum([len(file) for file in files]),
        frame=np.asarray(frames, np.int64),
        row_frame=np.asarray([position for position, _ in rows], np.int64),
        track=np.asarray([sight.track.index for _, sight in rows], np.int64),
        outline=np.asarray([sight.outline for _, sight in rows], np.float32).reshape(-1, 4),
        visible=np.asarray([sight.visible for _, sight in rows], np.float32),
        pixels=np.asarray([sight.pixels for _, sight in rows], np.int64),
        root=np.asarray(
            [_root(world, sight, frames[position]) for position, sight in rows], np.float32
        ).reshape(-1, 3),
        heading=np.asarray(
            [_heading(world, sight, frames[position]) for position, sight in rows], np.float32
        ),
        actions=np.asarray(
            [_actions(sight, frames[position]) for position, sight in rows], np.bool_
        ).reshape(-1, len(ACTIONS)),
    )


def _root(world: World, sight: Sight, frame: int) -> NDArray[np.float64]:
    return world.in_label_frame(sight.track.root[frame], frame)


def _heading(world: World, sight: Sight, frame: int) -> float:
    return float(sight.track.heading[frame] - world.robot[frame, 2])


def _actions(sight: Sight, frame: int) -> NDArray[np.bool_]:
    doing = sight.track.doing(frame)
    flags = np.zeros(len(ACTIONS), np.bool_)
    for name in (doing.posture, *doing.gestures):
        flags[ACTION_INDEX[name]] = True
    return flags


def save(path: Path, panoramas: Panoramas) -> None:
    """Write one sequence; a half-written file is never left under ``path``."""
    partial = path.with_name(path.name + ".partial.npz")
    np.savez(partial, **{field.name: getattr(panoramas, field.name) for field in fields(Panoramas)})
    partial.replace(path)


def load(path: Path) -> Panoramas:
    """Read one sequence."""
    with np.load(path, allow_pickle=False) as content:
        return Panoramas(**{field.name: content[field.name] for field in fields(Panoramas)})


def load_all(folder: Path) -> list[Panoramas]:
    """Read a training set, by rising seed. Raises BadInputError for seeds that are kept apart."""
    paths = sorted(folder.glob("[0-9]*.npz"))
    paths = [path for path in paths if ".partial" not in path.name]
    unseen = [path.stem for path in paths if int(path.stem) >= FIRST_UNSEEN_SEED]
    if unseen:
        raise BadInputError(
            f"{folder}: seeds from {FIRST_UNSEEN_SEED} on are kept apart: {', '.join(unseen)}"
        )
    if not paths:
        raise BadInputError(f"{folder} has no sequences: draw some with training.panoramas")
    return [load(path) for path in paths]


def main(arguments: list[str] | None = None) -> int:
    """Draw the training set."""
    parser = argparse.ArgumentParser(
        prog="training.panoramas",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--first-seed", type=int, default=FIRST_SEED)
    parser.add_argument("--sequences", type=int, default=180)
    parser.add_argument("--style", default=None, help="one style for all, instead of all in turn")
    options = parser.parse_args(arguments)
    if options.style == HELD_OUT_STYLE:
        parser.error(f"style {HELD_OUT_STYLE} is kept out of training")
    cv2.setNumThreads(1)
    options.folder.mkdir(parents=True, exist_ok=True)
    for seed in range(options.first_seed, options.first_seed + options.sequences):
        path = options.folder / f"{seed}.npz"
        if not path.exists():
            save(path, draw(seed, options.style))
            print(f"{path.name}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

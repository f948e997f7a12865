"""Making validated, balanced questions from the annotations of a data set."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from avr_ros.annotations.annotation_set import AnnotationSet
from avr_ros.annotations.scene_graph import TemporalSceneGraph
from avr_ros.benchmark.blocks import matched_blocks
from avr_ros.benchmark.candidate import Candidate, finish
from avr_ros.benchmark.checks import Check
from avr_ros.benchmark.families.family import QuestionFamily, SearchSettings
from avr_ros.benchmark.families.registry import FAMILIES
from avr_ros.benchmark.questions import Pair, build_blocks, build_pairs
from avr_ros.benchmark.recipe import Recipe
from avr_ros.benchmark.scene import Scene, scene_of
from avr_ros.benchmark.selection import select
from avr_ros.benchmark.settings import GenerationSettings, window_for
from avr_ros.benchmark.validation.raw_rows import RawRows
from avr_ros.benchmark.validation.validate import failed_checks
from avr_ros.schema.seeds import generator
from avr_ros.schema.vocabulary import AnswerMode, Family

OVERSAMPLING: Final = 10
"""Valid candidates that are looked for, for each question wanted, so that there is a choice."""

TRIES: Final = 200
"""Candidates that are checked at most for each question wanted."""

SMALLEST_POOL: Final = 60
"""Valid candidates of one family that are looked for in one sequence at least."""

BLOCK_FACTOR: Final = 2
"""How many times more are looked for where questions must fit together in blocks."""

MIXED_SHARE: Final = 0.75
"""Share of the questions wanted up to which blocks are also made of questions with other words,
in families that have no other mode to make up for what is lacking."""

SHARE_OF_CLASS: Final = 0.2
"""Largest share of one sequence's pool of a mode that one class of answers may fill."""

REPEATS: Final = 2
"""Candidates kept for the same event of the same person and the same class.

One for each text where questions are made in blocks of the same text."""


@dataclass
class Pools:
    """Valid candidates by family and mode, and how many were rejected by which check."""

    valid: dict[tuple[Family, AnswerMode], list[Candidate]] = field(
        default_factory=lambda: defaultdict(list)
    )
    rejected: dict[Family, Counter[Check]] = field(default_factory=lambda: defaultdict(Counter))
    tried: Counter[Family] = field(default_factory=Counter)


@dataclass(frozen=True)
class Generated:
    """Questions with their keys in final order, and the pools they were chosen from.

    ``classes`` are the numbers of classes of answers that questions were drawn from.
    """

    pairs: tuple[Pair, ...]
    classes: dict[tuple[Family, AnswerMode], int]
    pools: Pools
    window_frames: int
    panorama_width: int

    @property
    def chosen(self) -> tuple[Candidate, ...]:
        """The candidates of the questions."""
        return tuple(pair.candidate for pair in self.pairs)


def search_sequence(
    graph: TemporalSceneGraph,
    recorded: NDArray[np.int64],
    settings: GenerationSettings,
    window_frames: int,
    sequences: int,
    pools: Pools,
) -> None:
    """Add the valid candidates of one sequence to the pools.

    ``recorded`` are the ids of the frames that have an image.
    """
    scene = scene_of(graph, recorded)
    rows = RawRows(graph, frozenset(recorded.tolist()))
    wanted = -(-settings.per_family // sequences)
    for name in settings.families:
        family = FAMILIES[name]
        rng = generator(settings.seed, "search", name.value, graph.sequence)
        candidates = family.search(scene, SearchSettings(window_frames), rng)
        _fill(family, candidates, scene, rows, wanted, pools)


def _fill(
    family: QuestionFamily,
    recipes: Iterator[Recipe],
    scene: Scene,
    rows: RawRows,
    wanted: int,
    pools: Pools,
) -> None:
    limit = max(OVERSAMPLING * wanted, SMALLEST_POOL)
    if all(family.block_sizes(mode) for mode in family.modes):
        limit *= BLOCK_FACTOR
    classes: Counter[tuple[AnswerMode, str]] = Counter()
    events: Counter[tuple[object, ...]] = Counter()
    found: Counter[AnswerMode] = Counter()
    tries = 0
    for recipe in recipes:
        if tries >= max(TRIES * wanted, 20 * SMALLEST_POOL):
            break
        if all(found[mode] >= limit for mode in family.modes):
            break
        if found[recipe.mode] >= limit:
            continue
        truth = family.truth(scene, recipe)
        stratum = None if truth is None else family.stratum(recipe, truth)
        if truth is None or stratum is None:
            continue
        if classes[recipe.mode, stratum] >= max(SHARE_OF_CLASS * limit, 3):
            continue
        words = family.block_words(recipe) if family.block_sizes(recipe.mode) else ()
        occasion = (truth.target, recipe.asked, truth.answer, truth.evidence[:1])
        event = (recipe.mode, *occasion, stratum, words)
        if events[event] >= (1 if words else REPEATS):
            continue
        tries += 1
        pools.tried[family.family] += 1
        failure = next(failed_checks(family, recipe, truth, scene, rows), None)
        if failure is not None:
            pools.rejected[family.family][failure] += 1
            continue
        classes[recipe.mode, stratum] += 1
        events[event] += 1
        found[recipe.mode] += 1
        pools.valid[family.family, recipe.mode].append(
            finish(family, recipe, truth, stratum, scene)
        )


def choose(
    settings: GenerationSettings, pools: Pools, window_frames: int, panorama_width: int
) -> Generated:
    """Choose balanced questions from the pools and write them out."""
    pairs: list[Pair] = []
    classes: dict[tuple[Family, AnswerMode], int] = {}
    for name in settings.families:
        family = FAMILIES[name]
        # The scarcest mode first: what it lacks of its share goes to the others.
        modes = sorted(family.modes, key=lambda mode: len(pools.valid[name, mode]))
        number = 1
        for place, mode in enumerate(modes):
            wanted = -(-(settings.per_family - number + 1) // (len(modes) - place))
            rng = generator(settings.seed, "select", name.value, mode.value)
            fewest = family.fewest_classes(mode)
            pool = pools.valid[name, mode]
            sizes = family.block_sizes(mode)
            if sizes:
                least = round(MIXED_SHARE * wanted) if len(modes) == 1 else 0
                blocks = matched_blocks(pool, wanted, sizes, rng, least)
                made = build_blocks(name, mode, blocks, number, settings.seed)
                classes[name, mode] = len({item.stratum for block in blocks for item in block})
            else:
                picked = select(pool, wanted, fewest, rng)
                made = build_pairs(name, mode, picked.candidates, number, settings.seed)
                classes[name, mode] = picked.classes
            number += len(made)
            pairs.extend(made)
    order = generator(settings.seed, "order").permutation(len(pairs)).tolist()
    ordered = tuple(pairs[index] for index in order)
    return Generated(ordered, classes, pools, window_frames, panorama_width)


def generate(
    annotations: AnnotationSet,
    sequences: Mapping[str, NDArray[np.int64]],
    settings: GenerationSettings,
    advance: Callable[[int, int], None] = lambda done, total: None,
) -> Generated:
    """Questions with keys from the given sequences; ``advance`` hears of each one searched.

    ``sequences`` holds the ids of the frames that have an image, by name. The same annotations and
    settings give the same questions. Sequences are loaded one by one.
    """
    window_frames = settings.window_frames or window_for(
        min((len(recorded) for recorded in sequences.values()), default=0)
    )
    pools = Pools()
    for done, name in enumerate(sorted(sequences)):
        graph = annotations.scene_graph(name)
        recorded = sequences[name]
        search_sequence(graph, recorded, settings, window_frames, len(sequences), pools)
        advance(done + 1, len(sequences))
    return choose(settings, pools, window_frames, annotations.cylinder.width)

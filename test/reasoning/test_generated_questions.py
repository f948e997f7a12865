"""Every generated question is read as its recipe means it."""

from collections import Counter

import numpy as np
import pytest
from random_world import random_graph
from recipe_meaning import meaning_of, same

from avr_ros.benchmark.generation import Pools, choose, search_sequence
from avr_ros.benchmark.settings import GenerationSettings, window_for
from avr_ros.reasoning.local.parser import understand
from avr_ros.reasoning.meaning import QuestionMeaning

FRAMES = 200


@pytest.mark.parametrize("seed", [11, 12])
def test_generated_questions_are_read_as_they_are_meant(seed: int) -> None:
    settings = GenerationSettings(seed=seed, per_family=10)
    graph = random_graph(seed, 0, FRAMES)
    pools = Pools()
    search_sequence(graph, graph.frames.astype(np.int64), settings, window_for(FRAMES), 1, pools)
    pairs = choose(settings, pools, window_for(FRAMES), 3760).pairs
    assert len(Counter(pair.question.family for pair in pairs)) >= 5
    for pair in pairs:
        text = pair.question.text
        read = understand(text)
        assert isinstance(read, QuestionMeaning), (text, read)
        assert same(read) == meaning_of(pair.candidate.recipe), text

"""The families by name."""

from __future__ import annotations

from typing import Final

from avr_ros.benchmark.families.action_boundary import ActionBoundary
from avr_ros.benchmark.families.chain_hybrid import ChainHybrid
from avr_ros.benchmark.families.family import QuestionFamily
from avr_ros.benchmark.families.long_range import LongRange
from avr_ros.benchmark.families.relation_chain import RelationChain
from avr_ros.benchmark.families.temporal_chain import TemporalChain
from avr_ros.benchmark.families.unique_anchor_action import UniqueAnchorAction
from avr_ros.benchmark.families.unique_anchor_state import UniqueAnchorState
from avr_ros.schema.vocabulary import Family

FAMILIES: Final[dict[Family, QuestionFamily]] = {
    Family.ACTION_BOUNDARY: ActionBoundary(),
    Family.RELATION_CHAIN: RelationChain(),
    Family.TEMPORAL_CHAIN: TemporalChain(),
    Family.CHAIN_HYBRID: ChainHybrid(),
    Family.UNIQUE_ANCHOR_ACTION: UniqueAnchorAction(),
    Family.UNIQUE_ANCHOR_STATE: UniqueAnchorState(),
    Family.LONG_RANGE: LongRange(),
}
"""Every family, in the vocabulary's order."""

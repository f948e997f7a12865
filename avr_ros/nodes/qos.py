"""The quality of service of every topic, by name."""

from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy


def _profile(depth: int, *, reliable: bool = True, latched: bool = False) -> QoSProfile:
    return QoSProfile(
        history=HistoryPolicy.KEEP_LAST,
        depth=depth,
        reliability=ReliabilityPolicy.RELIABLE if reliable else ReliabilityPolicy.BEST_EFFORT,
        durability=DurabilityPolicy.TRANSIENT_LOCAL if latched else DurabilityPolicy.VOLATILE,
    )


RECORDED = _profile(10_000, latched=True)
"""What the bag must hold whole: questions, ledger records, results.

Latched, so that nothing is lost while the recorder is still being discovered.
"""

STEPS = _profile(2_000, latched=True)
"""Steps, of which those that are model calls can be large."""

LATEST = _profile(1, latched=True)
"""The last one counts, for whoever comes later: report, manifest, the recorder's status."""

GRAPH = _profile(64, latched=True)
"""World models, one message an episode and revision."""

FEEDBACK = _profile(1_000, latched=True)
"""Feedback of actions: a client that is discovered during its first goal misses none."""

ANNOTATED = _profile(100, latched=True)
"""Pictures of the evidence for people."""

STREAM = _profile(10)
"""A recording that is streamed: nothing is lost on the way to a subscriber that keeps up."""

ANY_PUBLISHER = _profile(10, reliable=False)
"""A subscription that every publisher's quality of service suits."""

RELIABLE_PUBLISHER = _profile(10)
"""A subscription where all publishers are reliable."""

DIAGNOSTICS = _profile(100)
"""/diagnostics, as diagnostic_aggregator subscribes to it."""

CLOCK = _profile(10)
"""/clock, reliable, which suits both reliable and best-effort subscribers."""

CLOCK_LISTENER = _profile(10, reliable=False)
"""/clock, from whatever publisher."""

PROFILES: dict[str, QoSProfile] = {
    name: value for name, value in sorted(globals().items()) if isinstance(value, QoSProfile)
}
"""Every profile above by name."""

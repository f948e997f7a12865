"""What the index of one bag file gives."""

from __future__ import annotations

from dataclasses import dataclass, field

from avr_ros.recordings.bag_frames import BagMessage
from avr_ros.recordings.recording import Notice


@dataclass
class IndexedFile:
    """The messages of one topic in one file, in the order in which they are stored.

    ``topics`` holds the type of every topic of the file; ``serializations`` how the messages of the
    wanted one are serialized, by MCAP's and rosbag2's names.
    """

    topics: dict[str, str] = field(default_factory=dict)
    serializations: set[str] = field(default_factory=set)
    messages: list[BagMessage] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)

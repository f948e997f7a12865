"""Who opens and closes the episodes of a run."""

from typing import Protocol

from avr_ros.schema.episode import CloseResponse, EpisodeSpecification, OpenResponse


class EpisodeHost(Protocol):
    """Opens and closes episodes; the observation service is one, and so is a client of its node.

    Both methods are called from several threads and raise RunStoppedError where the serving side
    is gone.
    """

    def open_episode(self, specification: EpisodeSpecification) -> OpenResponse:
        """Open an episode; refusals are statuses."""

    def close_episode(self, episode_id: str) -> CloseResponse:
        """Close an episode and return its authoritative ledger."""

"""The episode of a question."""

import math

from avr_ros.schema.episode import EpisodeSpecification
from avr_ros.schema.question import Question


def episode_specification(question: Question, episode_id: str) -> EpisodeSpecification:
    """What the episode of a question allows: frames, budget, fields of view, given frames."""
    return EpisodeSpecification(
        episode_id=episode_id,
        sequence=question.sequence,
        legal_frames=tuple(
            frame for span in question.legal_frames for frame in range(span.first, span.last + 1)
        ),
        max_observations=question.max_observations,
        fields_of_view=tuple(math.radians(value) for value in question.fields_of_view_deg),
        given_frames=question.given_frames,
    )

"""The eyes of a judge that has none itself: the run's own perception."""

from pathlib import Path

from avr_ros.evaluation.perceptions import make_perception, perception_settings_of_run
from avr_ros.evaluation.prepare import open_labels
from avr_ros.evaluation.specification import RunSpecification
from avr_ros.evaluation.view_perception import ViewPerception
from avr_ros.reasoning.model_name import parse_model


def judging_eyes(
    model: str, specification: RunSpecification, dataset: Path
) -> ViewPerception | None:
    """The perception of the run for the local judge, none for a judge that looks itself.

    Raises BadInputError where the run's detector is no longer what it was.
    """
    if parse_model(model).kind != "local":
        return None
    settings = perception_settings_of_run(
        specification.perception, specification.perception_settings
    )
    return make_perception(settings, open_labels(dataset))

"""What a reader of scores must know about how they came about."""

from avr_ros.schema.report import Report


def notices(report: Report) -> list[str]:
    """Sentences about where perception and model came from; empty where nothing is special."""
    found = []
    if report.oracle_perception:
        found.append(
            "Oracle perception: people and actions came from the annotations, not from pixels."
        )
    if report.stand_in_model:
        found.append(
            "Stand-in model: the built-in grammar answered, no vision-language model was run."
        )
    return found


SCORES_NAME = "avr_ros scores"
"""What the scores are called: they are of this package's questions, not of a published set."""

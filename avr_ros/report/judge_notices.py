"""What a reader of a judge's numbers must know about how they came about."""


def judge_notices(stand_in_judge: bool, oracle_perception: bool) -> str:
    """Sentences about the judge and the perception, one a line; empty where nothing is special."""
    found = []
    if stand_in_judge:
        found.append(
            "Stand-in judge: the built-in grammar judged, no language model was run; "
            "of the stand-in model's own answers this is circular."
        )
    if oracle_perception:
        found.append(
            "Oracle perception: people and actions came from the annotations, not from pixels."
        )
    return "\n".join(found)

"""What a reader of a comparison must know about how its scores came about."""

from collections.abc import Sequence

from avr_ros.evaluation.compared_system import ComparedSystem

_FEW_SEQUENCES = 30


def comparison_notices(systems: Sequence[ComparedSystem], sequences: int) -> tuple[str, ...]:
    """Sentences about oracle perception, stand-in models and what cannot be told."""
    oracle = [system.name for system in systems if system.oracle_perception]
    stand_in = [system.name for system in systems if system.stand_in_model]
    found = []
    if oracle:
        found.append(
            f"Oracle perception ({_whose(oracle, systems)}): people and actions came from the "
            "annotations, not from pixels."
        )
    if stand_in:
        found.append(
            f"Stand-in model ({_whose(stand_in, systems)}): the built-in grammar answered, no "
            "vision-language model was run."
        )
    found += [
        f"The runs of {system.name} were made with uncommitted changes, so they may be of "
        "different programs; --separate keeps them apart."
        for system in systems
        if len(system.runs) > 1 and system.runs[0].system.get("uncommitted_changes")
    ]
    if sequences < 2:
        found.append("All questions are of one sequence, so nothing can be said of others.")
    elif sequences < _FEW_SEQUENCES:
        found.append(f"Intervals over {sequences} sequences are rough: these are few.")
    return tuple(found)


def _whose(marked: Sequence[str], systems: Sequence[ComparedSystem]) -> str:
    return "all systems" if len(marked) == len(systems) else "; ".join(marked)

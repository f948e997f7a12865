"""Numbers of a comparison in words, for tables on a terminal and in LaTeX."""

from avr_ros.evaluation.comparison_result import Difference, SystemSummary
from avr_ros.schema.report import Interval

MEASURE_TITLES = {
    "answer": "answer",
    "evidence": "evidence",
    "combined": "combined",
    "conditional_hallucination": "cond. hallucination",
}
"""Column and row titles of the measures."""

ORACLE_MARK = "°"
STAND_IN_MARK = "†"

UNDEFINED = "–"
_SMALL_P = 0.001


def marked_name(system: SystemSummary) -> str:
    """A system's name with the marks of oracle perception and of the stand-in model."""
    return system.name + marks(system.oracle_perception, system.stand_in_model)


def marks(oracle_perception: bool, stand_in_model: bool) -> str:
    """The signs behind a marked name; the notices explain them."""
    return ORACLE_MARK * oracle_perception + STAND_IN_MARK * stand_in_model


def signed(points: float | None) -> str:
    """A difference in percentage points with its sign and two decimals."""
    if points is None:
        return UNDEFINED
    rounded = round(points, 2)
    return f"{rounded + 0.0:+.2f}" if rounded else "0.00"


def signed_interval(interval: Interval) -> str:
    """An interval of a difference; a dash where it is undefined."""
    if interval.low is None or interval.high is None:
        return UNDEFINED
    return f"[{signed(interval.low)}, {signed(interval.high)}]"


def counts_text(n_plus: int | None, n_minus: int | None) -> str:
    """Questions won and lost; a dash where no question has a score."""
    return UNDEFINED if n_plus is None or n_minus is None else f"{n_plus}/{n_minus}"


def p_text(p: float | None) -> str:
    """A p value to two digits, below 0.001 as such; a dash where nothing was tested."""
    if p is None:
        return UNDEFINED
    if p < _SMALL_P:
        return "<0.001"
    return f"{p:.3f}" if p < 0.1 else f"{p:.2f}"


def name_of_test(difference: Difference) -> str:
    """Name of the test behind a p value; empty where nothing was tested."""
    names = {"exact_mcnemar": "McNemar", "sign_flip_permutation": "permutation"}
    return "" if difference.test is None else names[difference.test]

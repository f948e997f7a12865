"""What a comparison of systems comes to: the JSON of ``avr compare``.

Rates and differences are in percent and in percentage points. A difference is the system's rate
minus the reference's.
"""

from typing import Literal

from pydantic import Field

from avr_ros.schema.model import Record
from avr_ros.schema.report import CostMeans, Interval, Rates

TestName = Literal["exact_mcnemar", "sign_flip_permutation"]


class MacroRates(Record):
    """Means of the families' rates, every family alike."""

    answer: float
    evidence: float
    combined: float


class CostTotals(Record):
    """Sums over all questions and runs of a system; ``tokens`` are all tokens, in and out."""

    steps: int
    observations: int
    given_frames: int
    calls: int
    tokens: int
    images: int
    seconds: float


class SystemSummary(Record):
    """One system: the mean of its runs.

    ``seeds`` is none for a run whose seed is not known. ``rates`` count every question, the
    missing, abstained and failed ones as wrong; ``failures`` counts those by kind over all runs.
    ``cost`` is the mean of a question's episode. ``images_per_answer`` is the mean over the
    ``answers_with_images`` answers of which it is known, none where it is of none.
    """

    name: str
    runs: tuple[str, ...]
    seeds: tuple[int | None, ...]
    agent: str
    model: str
    perception: str
    oracle_perception: bool
    stand_in_model: bool
    rates: Rates
    macro: MacroRates
    by_family: dict[str, Rates]
    failures: dict[str, int]
    cost: CostMeans
    cost_totals: CostTotals
    images_per_answer: float | None
    answers_with_images: int


class Difference(Record):
    """How two systems differ by one measure.

    ``n_plus`` and ``n_minus`` count the questions on which the system scores above and below the
    reference, none for ratios, which no single question has. ``p`` is none where nothing was
    tested; ``p_holm`` is corrected over the comparison's whole family of tests.
    """

    measure: str
    system: float | None
    reference: float | None
    difference: float | None
    by_question: Interval
    by_sequence: Interval
    n_plus: int | None = None
    n_minus: int | None = None
    test: TestName | None = None
    p: float | None = None
    p_holm: float | None = None
    note: str = ""


class GroupDifference(Record):
    """How two systems differ in one family by one measure; not tested, since picked by looking."""

    family: str
    n: int
    measure: str
    system: float
    reference: float
    difference: float
    by_question: Interval
    n_plus: int
    n_minus: int


class PairComparison(Record):
    """A system compared with its reference, both by name."""

    system: str
    reference: str
    differences: tuple[Difference, ...]
    by_family: tuple[GroupDifference, ...]


class FamilyOfTests(Record):
    """The tests that were corrected together: every pair by every tested measure."""

    correction: Literal["holm"] = "holm"
    measures: tuple[str, ...]
    tests: int = Field(ge=1)


class ComparedFiles(Record):
    """A question file that every system was asked: how many of its questions, and the hashes of
    what they belong to."""

    questions: int
    hashes: dict[str, str]


class Comparison(Record):
    """Systems compared on the same questions, of one file or of several.

    Scores are of this package's own questions and are called avr_ros scores. ``notices`` say
    what a reader must know about where perception and models came from. ``hashes`` are those that
    all ``files`` have in common.
    """

    format: Literal["avr_ros/comparison"] = "avr_ros/comparison"
    version: Literal[1] = 1
    n: int
    sequences: int
    systems: tuple[SystemSummary, ...]
    pairs: tuple[PairComparison, ...]
    family_of_tests: FamilyOfTests
    level: float
    resamples: int
    permutations: int
    seed: int
    hashes: dict[str, str]
    files: tuple[ComparedFiles, ...] = ()
    notices: tuple[str, ...]
    oracle_perception: bool
    stand_in_model: bool

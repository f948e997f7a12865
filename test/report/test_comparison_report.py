"""Tables of a comparison, on a terminal and in LaTeX."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from avr_ros.evaluation.comparison_result import (
    Comparison,
    CostTotals,
    Difference,
    FamilyOfTests,
    GroupDifference,
    MacroRates,
    PairComparison,
    SystemSummary,
)
from avr_ros.report.comparison_latex import comparison_latex, escaped
from avr_ros.report.comparison_rows import (
    counts_text,
    marked_name,
    p_text,
    signed,
    signed_interval,
)
from avr_ros.report.comparison_table import comparison_tables
from avr_ros.schema.report import CostMeans, Interval, Rates

UNDEFINED = Interval(low=None, high=None)


def system(name: str, oracle: bool = False, stand_in: bool = False) -> SystemSummary:
    rates = Rates(n=3436, answer=52.7, evidence=50.0, combined=40.0, conditional_hallucination=None)
    return SystemSummary(
        name=name,
        runs=(f"runs/{name}",),
        seeds=(1,),
        agent=name,
        model="openai:http://localhost#a_model",
        perception="onnx",
        oracle_perception=oracle,
        stand_in_model=stand_in,
        rates=rates,
        macro=MacroRates(answer=45.9, evidence=50.0, combined=40.0),
        by_family={"long_range": rates},
        failures={"parse_failure": 7},
        cost=CostMeans(**dict.fromkeys(CostMeans.model_fields, 12.69)),
        cost_totals=CostTotals(
            steps=1, observations=1, given_frames=1, calls=1, tokens=76_470, images=1, seconds=1.0
        ),
        images_per_answer=4.39,
        answers_with_images=3436,
    )


def comparison(**marks: bool) -> Comparison:
    answer = Difference(
        measure="answer",
        system=52.7,
        reference=45.6,
        difference=7.10,
        by_question=Interval(low=5.24, high=8.99),
        by_sequence=UNDEFINED,
        n_plus=673,
        n_minus=429,
        test="exact_mcnemar",
        p=1.99e-13,
        p_holm=3.97e-13,
    )
    ratio = Difference(
        measure="conditional_hallucination",
        system=20.0,
        reference=None,
        difference=None,
        by_question=UNDEFINED,
        by_sequence=UNDEFINED,
        note="undefined: no right answer of single_model",
    )
    group = GroupDifference(
        family="long_range",
        n=3436,
        measure="answer",
        system=52.7,
        reference=45.6,
        difference=7.1,
        by_question=UNDEFINED,
        n_plus=673,
        n_minus=429,
    )
    systems = (system("eviseek"), system("single_model", **marks))
    notices = [
        sentence
        for name, sentence in (
            ("oracle", "Oracle perception (single_model): from the annotations."),
            ("stand_in", "Stand-in model (single_model): the built-in grammar answered."),
        )
        if marks.get(name)
    ]
    return Comparison(
        n=3436,
        sequences=1,
        systems=systems,
        pairs=(
            PairComparison(
                system="eviseek",
                reference="single_model",
                differences=(answer, ratio),
                by_family=(group,),
            ),
        ),
        family_of_tests=FamilyOfTests(measures=("answer",), tests=1),
        level=0.95,
        resamples=200_000,
        permutations=19_999,
        seed=20261012,
        hashes={},
        notices=tuple(notices),
        oracle_perception=bool(marks.get("oracle")),
        stand_in_model=bool(marks.get("stand_in")),
    )


def printed(made: Comparison) -> str:
    console = Console(width=200, highlight=False)
    with console.capture() as capture:
        console.print(comparison_tables(made))
    return capture.get()


def test_tables_say_all_numbers() -> None:
    text = printed(comparison())
    for part in (
        "+7.10",
        "[+5.24, +8.99]",
        "673/429",
        "<0.001",
        "McNemar",
        "200,000 paired bootstrap resamples (seed 20261012)",
        "corrected over 1 test (1 pair by answer)",
        "undefined: no right answer of single_model",
        "long_range",
        "parse failure",
        "76,470",
        "4.39",
    ):
        assert part in text, part
    assert "†" not in text
    assert "permutation" not in text


def test_marks_stand_at_the_names_and_are_explained() -> None:
    made = comparison(oracle=True, stand_in=True)
    assert marked_name(made.systems[1]) == "single_model°†"
    text = printed(made)
    assert "single_model°†" in text
    assert "Oracle perception (single_model)" in text
    assert "° oracle perception, † stand-in model" in text
    latex = comparison_latex(made)
    assert r"single\_model\textsuperscript{o}\textsuperscript{\dag}" in latex
    assert latex.count(r"\textsuperscript{o} Oracle perception") == 2
    assert latex.count(r"\textsuperscript{\dag} Stand-in model") == 2


def test_latex_is_balanced_and_escaped() -> None:
    latex = comparison_latex(comparison(oracle=True))
    assert latex.count(r"\begin{") == latex.count(r"\end{") == 4
    assert latex.count("{") == latex.count("}")
    assert latex.count("$") % 2 == 0
    header, row = (
        line
        for line in latex.splitlines()
        if line.startswith(("System &", "eviseek &"))
        and ("CI by question" in line or "673/429" in line)
    )
    assert header.count("&") == row.count("&") == 9
    assert "$+7.10$ & $[+5.24, +8.99]$ & -- & 673/429 & $<$0.001" in row
    lines = [line for line in latex.splitlines() if not line.startswith("%")]
    text = re.sub(r"\$[^$]*\$", "", "\n".join(lines))
    assert not re.search(r"(?<!\\)[_#]", text)


@given(st.text(alphabet=st.characters(codec="ascii"), max_size=20))
def test_escaped_text_holds_no_command(text: str) -> None:
    made = escaped(text)
    assert made.count("{") - made.count(r"\{") == made.count("}") - made.count(r"\}")
    for letter in "&%#_":
        assert made.count(letter) == made.count("\\" + letter)


@pytest.mark.parametrize(
    ("points", "text"),
    [(None, "–"), (0.0, "0.00"), (-0.001, "0.00"), (7.104, "+7.10"), (-13.47, "-13.47")],
)
def test_signed(points: float | None, text: str) -> None:
    assert signed(points) == text


def test_words() -> None:
    assert signed_interval(Interval(low=-1.0, high=2.0)) == "[-1.00, +2.00]"
    assert signed_interval(UNDEFINED) == "–"
    assert counts_text(3, 0) == "3/0"
    assert counts_text(None, None) == "–"
    assert [p_text(p) for p in (None, 2e-5, 0.001, 0.0123, 0.25, 1.0)] == [
        "–",
        "<0.001",
        "0.001",
        "0.012",
        "0.25",
        "1.00",
    ]

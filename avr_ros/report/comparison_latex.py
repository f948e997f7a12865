"""A comparison of systems as LaTeX tables, for papers."""

from collections.abc import Sequence
from typing import Final

from avr_ros.evaluation.comparison_result import Comparison, SystemSummary
from avr_ros.report.comparison_rows import (
    MEASURE_TITLES,
    ORACLE_MARK,
    STAND_IN_MARK,
    UNDEFINED,
    counts_text,
    marks,
    p_text,
    signed,
    signed_interval,
)
from avr_ros.report.comparison_table import method_text, questions_text
from avr_ros.report.notices import SCORES_NAME
from avr_ros.report.number_text import percent

_ESCAPES: Final[dict[str, str]] = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": "$<$",
    ">": "$>$",
    "−": "$-$",
    "–": "--",
    "…": r"\dots{}",
    ORACLE_MARK: r"\textsuperscript{o}",
    STAND_IN_MARK: r"\textsuperscript{\dag}",
}


def comparison_latex(comparison: Comparison) -> str:
    """Two tables, scores with differences and scores by family; they need package booktabs.

    Marks of oracle perception and of stand-in models are at the names and in the captions.
    """
    return "\n".join(
        [
            f"% {SCORES_NAME}, {questions_text(comparison)}. Needs \\usepackage{{booktabs}}.",
            *(f"% {text}" for text in comparison.notices),
            *_differences(comparison),
            "",
            *_families(comparison),
            "",
        ]
    )


def escaped(text: str) -> str:
    """Text as LaTeX prints it."""
    return "".join(_ESCAPES.get(letter, letter) for letter in text)


def _differences(comparison: Comparison) -> list[str]:
    by_name = {system.name: system for system in comparison.systems}
    lines = []
    for pair in comparison.pairs:
        for item in pair.differences:
            lines.append(
                _row(
                    [
                        _name(by_name[pair.system]),
                        _name(by_name[pair.reference]),
                        escaped(MEASURE_TITLES[item.measure]),
                        escaped(percent(item.system)),
                        escaped(percent(item.reference)),
                        _number(signed(item.difference)),
                        _number(signed_interval(item.by_question)),
                        _number(signed_interval(item.by_sequence)),
                        escaped(counts_text(item.n_plus, item.n_minus)),
                        escaped(p_text(item.p_holm)),
                    ]
                )
            )
    header = [
        "System",
        "Reference",
        "Measure",
        "System (\\%)",
        "Reference (\\%)",
        "$\\Delta$",
        "CI by question",
        "CI by sequence",
        "$n_+/n_-$",
        "$p$ (Holm)",
    ]
    notes = [
        f"{pair.system} against {pair.reference}, {MEASURE_TITLES[item.measure]}: {item.note}."
        for pair in comparison.pairs
        for item in pair.differences
        if item.note
    ]
    caption = " ".join([_caption(comparison), escaped(" ".join([method_text(comparison), *notes]))])
    return _table("lllrrrrrrr", header, lines, caption, "tab:comparison")


def _families(comparison: Comparison) -> list[str]:
    first = comparison.systems[0]
    measures = comparison.family_of_tests.measures
    lines = []
    for measure in measures:
        for family, rates in first.by_family.items():
            cells = [
                percent(getattr(item.by_family[family], measure)) for item in comparison.systems
            ]
            lines.append(
                _row(
                    [escaped(MEASURE_TITLES[measure]), escaped(family), str(rates.n)]
                    + [escaped(cell) for cell in cells]
                )
            )
    header = ["Measure", "Family", "$n$", *(_name(system) for system in comparison.systems)]
    caption = f"{_caption(comparison)} Rates by family in percent, not tested."
    alignment = "llr" + "r" * len(comparison.systems)
    return _table(alignment, header, lines, caption, "tab:comparison-families")


def _caption(comparison: Comparison) -> str:
    texts = [f"{SCORES_NAME} on {questions_text(comparison)}."]
    for text in comparison.notices:
        if text.startswith("Oracle perception"):
            texts.append(f"{ORACLE_MARK} {text}")
        elif text.startswith("Stand-in model"):
            texts.append(f"{STAND_IN_MARK} {text}")
        else:
            texts.append(text)
    return escaped(" ".join(texts))


def _name(system: SystemSummary) -> str:
    return escaped(system.name + marks(system.oracle_perception, system.stand_in_model))


def _number(text: str) -> str:
    """Signed numbers in mathematical type, so that a minus is one."""
    return escaped(text) if text == UNDEFINED else f"${text}$"


def _row(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"


def _table(
    alignment: str, header: Sequence[str], rows: Sequence[str], caption: str, label: str
) -> list[str]:
    return [
        r"\begin{table*}",
        r"\centering",
        rf"\begin{{tabular}}{{{alignment}}}",
        r"\toprule",
        _row(header),
        r"\midrule",
        *rows,
        r"\bottomrule",
        r"\end{tabular}",
        rf"\caption{{{caption}}}",
        rf"\label{{{label}}}",
        r"\end{table*}",
    ]

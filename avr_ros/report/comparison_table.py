"""A comparison of systems as tables on a terminal."""

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from avr_ros.evaluation.comparison_result import Comparison, SystemSummary
from avr_ros.report.comparison_rows import (
    MEASURE_TITLES,
    ORACLE_MARK,
    STAND_IN_MARK,
    counts_text,
    marked_name,
    name_of_test,
    p_text,
    signed,
    signed_interval,
)
from avr_ros.report.notices import SCORES_NAME
from avr_ros.report.number_text import amount, percent
from avr_ros.schema.report import CostMeans


def comparison_tables(comparison: Comparison) -> RenderableType:
    """Notices, rates, differences, families, failures and cost."""
    systems = {system.name: marked_name(system) for system in comparison.systems}
    parts: list[RenderableType] = [
        Text(
            f"{SCORES_NAME}: {len(systems)} systems on the same {questions_text(comparison)}",
            style="bold",
        )
    ]
    parts += [Text(text, style="yellow") for text in comparison.notices]
    if comparison.oracle_perception or comparison.stand_in_model:
        parts.append(Text(_legend(comparison), style="yellow"))
    parts.append(_rates(comparison))
    parts.append(_differences(comparison, systems))
    parts.append(Text(method_text(comparison), style="dim"))
    parts += [
        Text(
            f"{systems[pair.system]} against {systems[pair.reference]}, "
            f"{MEASURE_TITLES[item.measure]}: {item.note}."
        )
        for pair in comparison.pairs
        for item in pair.differences
        if item.note
    ]
    parts += [_families(comparison, measure) for measure in comparison.family_of_tests.measures]
    parts.append(_failures(comparison))
    parts.append(_cost(comparison))
    return Group(*parts)


def questions_text(comparison: Comparison) -> str:
    """How many questions of how many sequences, and of how many files where of several."""
    files = len(comparison.files)
    return (
        f"{comparison.n} questions of {comparison.sequences} "
        f"sequence{'s' if comparison.sequences > 1 else ''}"
        + (f" in {files} question files" if files > 1 else "")
    )


def method_text(comparison: Comparison) -> str:
    """How the intervals and p values were made, in one paragraph."""
    family = comparison.family_of_tests
    tests = f"{family.tests} test{'s' if family.tests > 1 else ''}"
    pairs = f"{len(comparison.pairs)} pair{'s' if len(comparison.pairs) > 1 else ''}"
    measures = ", ".join(MEASURE_TITLES[name] for name in family.measures)
    permuted = any(
        item.test == "sign_flip_permutation"
        for pair in comparison.pairs
        for item in pair.differences
    )
    texts = [
        f"Differences in percentage points with {100 * comparison.level:g} % intervals of "
        f"{comparison.resamples:,} paired bootstrap resamples (seed {comparison.seed}).",
        "n+/n−: questions on which the system scores above/below its reference.",
        "p: two-sided exact McNemar test"
        + (
            f", sign-flip permutation test ({comparison.permutations:,}) where runs were averaged;"
            if permuted
            else ";"
        ),
        f"Holm: corrected over {tests} ({pairs} by {measures}).",
    ]
    return " ".join(texts)


def _legend(comparison: Comparison) -> str:
    texts = []
    if comparison.oracle_perception:
        texts.append(f"{ORACLE_MARK} oracle perception")
    if comparison.stand_in_model:
        texts.append(f"{STAND_IN_MARK} stand-in model")
    return ", ".join(texts)


def _table(title: str, first: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left")
    table.add_column(first, overflow="fold")
    for column in columns:
        table.add_column(column, justify="right")
    return table


def _rates(comparison: Comparison) -> Table:
    table = _table(
        "Scores in percent; macro: mean of the families",
        "system",
        "runs",
        *(MEASURE_TITLES[name] for name in MEASURE_TITLES),
        "macro answer",
        "macro evidence",
        "macro combined",
    )
    for system in comparison.systems:
        table.add_row(
            marked_name(system),
            str(len(system.runs)),
            *(percent(getattr(system.rates, name)) for name in MEASURE_TITLES),
            *(percent(getattr(system.macro, name)) for name in ("answer", "evidence", "combined")),
        )
    return table


def _differences(comparison: Comparison, systems: dict[str, str]) -> Table:
    table = _table(
        "Differences",
        "system against reference",
        "measure",
        "difference",
        "by question",
        "by sequence",
        "n+/n−",
        "p",
        "Holm",
        "test",
    )
    table.columns[1].justify = "left"
    for pair in comparison.pairs:
        name = f"{systems[pair.system]} against {systems[pair.reference]}"
        for item in pair.differences:
            table.add_row(
                name,
                MEASURE_TITLES[item.measure],
                signed(item.difference),
                signed_interval(item.by_question),
                signed_interval(item.by_sequence),
                counts_text(item.n_plus, item.n_minus),
                p_text(item.p),
                p_text(item.p_holm),
                name_of_test(item),
            )
            name = ""
        table.add_section()
    return table


def _families(comparison: Comparison, measure: str) -> Table:
    table = _table(
        f"{MEASURE_TITLES[measure].capitalize()} by family, percent",
        "family",
        "n",
        *(marked_name(system) for system in comparison.systems),
    )
    first = comparison.systems[0]
    for family, rates in first.by_family.items():
        table.add_row(
            family,
            str(rates.n),
            *(percent(getattr(system.by_family[family], measure)) for system in comparison.systems),
        )
    return table


def _failures(comparison: Comparison) -> Table:
    table = _table(
        "Failures and abstentions, all counted as wrong",
        "",
        *(marked_name(system) for system in comparison.systems),
    )
    kinds = sorted({kind for system in comparison.systems for kind in system.failures})
    for kind in kinds:
        table.add_row(
            kind.replace("_", " "),
            *(str(system.failures.get(kind, 0)) for system in comparison.systems),
        )
    if not kinds:
        table.add_row("none", *("0" for _ in comparison.systems))
    return table


def _cost(comparison: Comparison) -> Table:
    table = _table(
        "Cost, mean of an episode; totals over all runs",
        "",
        *(marked_name(system) for system in comparison.systems),
    )
    for name in CostMeans.model_fields:
        values = [getattr(system.cost, name) for system in comparison.systems]
        if any(values):
            table.add_row(name.replace("_", " "), *(amount(value) for value in values))
    if any(system.images_per_answer is not None for system in comparison.systems):
        table.add_row("images per answer", *(_answer_images(item) for item in comparison.systems))
    table.add_section()
    for name in ("steps", "calls", "tokens", "images", "seconds"):
        values = [getattr(system.cost_totals, name) for system in comparison.systems]
        if any(values):
            table.add_row(f"total {name}", *(amount(value) for value in values))
    return table


def _answer_images(system: SystemSummary) -> str:
    return "–" if system.images_per_answer is None else amount(system.images_per_answer)

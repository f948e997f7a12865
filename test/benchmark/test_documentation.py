"""docs/benchmark.md says of every family which checks are made."""

from __future__ import annotations

from pathlib import Path

from avr_ros.benchmark.checks import Check
from avr_ros.benchmark.families.registry import FAMILIES
from avr_ros.schema.vocabulary import Family

PAGE = Path(__file__).parents[2] / "docs" / "benchmark.md"
COLUMNS = (
    (Check.TEMPORAL,),
    (Check.VIEW,),
    (Check.MULTI_STEP,),
    (Check.ANCHOR,),
    (Check.FIRST_HOP, Check.SECOND_HOP),
)


def test_the_table_of_checks_agrees_with_the_families() -> None:
    lines = PAGE.read_text().splitlines()
    start = lines.index("| family | temporal | view | multi_step | anchor | hops |") + 2
    rows = [line.strip("| ").split(" | ") for line in lines[start : start + len(FAMILIES)]]
    assert [row[0] for row in rows] == [family.value for family in Family]
    for row in rows:
        made = {
            check
            for cell, checks in zip(row[1:], COLUMNS, strict=True)
            if cell not in ("–", "a", "b", "c")
            for check in checks
        }
        assert made == set(FAMILIES[Family(row[0])].checks), row[0]


def test_every_family_and_check_is_explained() -> None:
    text = PAGE.read_text()
    for name in (*Family, *Check):
        assert name.value in text

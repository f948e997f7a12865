"""report.html: one self-contained file that loads nothing from anywhere."""

from collections.abc import Sequence
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from avr_ros.evaluation.specification import RunSpecification
from avr_ros.report.notices import SCORES_NAME, notices
from avr_ros.report.number_text import amount, interval_text, percent
from avr_ros.report.page_rows import PageRow
from avr_ros.report.rate_rows import MEASURES, TITLES, group_rows, overall_rows
from avr_ros.schema.report import CostMeans, Report


def report_page(
    report: Report,
    rows: Sequence[PageRow],
    specification: RunSpecification,
    remarks: Sequence[str] = (),
) -> str:
    """The page of a run.

    ``remarks`` say what could not be shown and why. Everything that is put into the page is
    escaped.
    """
    return _template().render(
        report=report,
        specification=specification,
        scores_name=SCORES_NAME,
        notices=notices(report),
        remarks=list(remarks),
        measures=MEASURES,
        titles=TITLES,
        tables=[
            ("All questions", overall_rows(report)),
            ("By family", group_rows(report.by_family)),
            ("By answer mode", group_rows(report.by_answer_mode)),
        ],
        cost=[
            (name.replace("_", " "), getattr(report.cost, name)) for name in CostMeans.model_fields
        ],
        rows=rows,
        detailed=sum(row.detailed for row in rows),
    )


@cache
def _template() -> Template:
    environment = Environment(
        loader=PackageLoader("avr_ros.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(percent=percent, interval=interval_text, amount=amount)
    return environment.get_template("report.html.j2")

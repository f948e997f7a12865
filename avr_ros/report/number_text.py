"""Numbers in words, for tables and pages."""

from avr_ros.schema.report import Interval


def percent(value: float | None) -> str:
    """A percentage with one decimal; a dash where it is undefined."""
    return "–" if value is None else f"{value:.1f}"


def interval_text(interval: Interval) -> str:
    """An interval in brackets; empty where it is undefined."""
    if interval.low is None or interval.high is None:
        return ""
    return f"[{interval.low:.1f}, {interval.high:.1f}]"


def amount(value: float) -> str:
    """A mean, with as many decimals as its size deserves."""
    if value == int(value):
        return f"{int(value):,}"
    return f"{value:,.1f}" if value >= 10 else f"{value:.2f}"

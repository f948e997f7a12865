"""A line of samples.jsonl."""

from avr_ros.schema.result import SampleResult


def sample_line(result: SampleResult) -> str:
    """A result as one line of JSON without its end; equal results give equal text."""
    return result.model_dump_json()

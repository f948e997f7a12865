"""``avr estimate``: what a run will cost, before it is paid for."""

from pathlib import Path
from typing import Annotated

import typer


def estimate(
    source: Annotated[
        Path | None,
        typer.Argument(
            help="questions.jsonl, or a folder that holds it: what avr generate wrote, or a run. "
            "By default the sample's questions.",
            show_default=False,
        ),
    ] = None,
    agent: Annotated[str, typer.Option(help="Agent that would be asked.")] = "avr",
    model: Annotated[
        str, typer.Option(help="Model behind it: local, openai:URL#NAME or replay:RUN.")
    ] = "local",
    workers: Annotated[int, typer.Option(min=1, max=256, help="Questions in parallel.")] = 1,
    limit: Annotated[int, typer.Option(min=0, help="First questions only, 0: all.")] = 0,
    question_deadline: Annotated[
        float, typer.Option(min=0.001, help="Seconds that a question may take.")
    ] = 600.0,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A setting of agent or model."),
    ] = None,
    like: Annotated[
        Path | None,
        typer.Option(help="Run folder whose calls tell what is typical, in place of the plan."),
    ] = None,
    seconds_per_call: Annotated[
        float | None, typer.Option(min=0, help="Seconds that the server takes for a call.")
    ] = None,
    tokens_per_image: Annotated[
        int, typer.Option(min=0, help="Tokens that the model makes of one picture.")
    ] = 300,
    price_in: Annotated[
        float | None, typer.Option(min=0, help="Price of a million tokens told.")
    ] = None,
    price_out: Annotated[
        float | None, typer.Option(min=0, help="Price of a million tokens said.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> None:
    """Predict the calls, tokens, time and price of a run. Nothing is asked of any model.

    Typical amounts come from what the agent declares of its calls, or from a recorded run; the
    most are what budgets, repairs and deadlines allow.
    """
    from avr_ros.agents.registry import agent_settings_type
    from avr_ros.benchmark.question_files import QUESTIONS_NAME, read_questions
    from avr_ros.cli.output import print_json, print_table
    from avr_ros.cli.sample_progress import sample_progress
    from avr_ros.evaluation.default_sample import sample_or
    from avr_ros.evaluation.estimate import EstimateRequest, Rates
    from avr_ros.evaluation.estimate import estimate as compute
    from avr_ros.evaluation.settings import apply_settings
    from avr_ros.evaluation.stored_run import limited
    from avr_ros.reasoning.make_backend import model_settings_type
    from avr_ros.report.estimate_table import estimate_table

    if source is None:
        with sample_progress() as advance:
            source = sample_or(None, None, None, advance).questions
    chosen = apply_settings(
        tuple(settings or ()),
        {"agent": agent_settings_type(agent), "model": model_settings_type(model)},
        0,
    )
    path = source / QUESTIONS_NAME if source.is_dir() else source
    made = compute(
        EstimateRequest(
            questions=limited(read_questions(path).questions, limit),
            agent=agent,
            agent_settings=chosen["agent"],
            model=model,
            model_settings=chosen["model"],
            workers=workers,
            question_deadline=question_deadline,
            rates=Rates(
                seconds_per_call=seconds_per_call,
                tokens_per_image=tokens_per_image,
                price_in=price_in,
                price_out=price_out,
            ),
            like=like,
        )
    )
    if json:
        print_json(made.model_dump(mode="json"))
    else:
        print_table(estimate_table(made))

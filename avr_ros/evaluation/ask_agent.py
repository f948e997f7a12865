"""Put a question to an agent object and account for it, whatever comes of it."""

from dataclasses import replace

from avr_ros.agents.agent import Agent, AgentTools
from avr_ros.agents.tools import EpisodeCancelledError, ObservationRefusedError, ToolFailedError
from avr_ros.evaluation.step_cost import cost_of_steps
from avr_ros.schema.prediction import FailureKind, Prediction
from avr_ros.schema.question import Question
from avr_ros.schema.result import Cost
from avr_ros.schema.step import Step

MAX_REASON = 2000
"""Characters of a failure's reason that are kept."""


def ask_agent(agent: Agent, question: Question, tools: AgentTools) -> tuple[Prediction, Cost]:
    """Let an agent answer and return its prediction and the cost of its steps.

    What the agent raises becomes a failure: of the error's kind for a tool or an early end, of
    kind OBSERVATION_FAILED for a refused view that it did not handle, of kind AGENT_ERROR for
    everything else.
    """
    steps: list[Step] = []

    def record(step: Step) -> None:
        steps.append(step)
        tools.record_step(step)

    try:
        prediction = agent.answer(question, replace(tools, record_step=record))
    except (ToolFailedError, EpisodeCancelledError) as error:
        prediction = _failure(error.kind, str(error))
    except ObservationRefusedError as error:
        prediction = _failure(FailureKind.OBSERVATION_FAILED, str(error))
    except Exception as error:  # a bug of the agent is its failure, not the run's
        prediction = _failure(FailureKind.AGENT_ERROR, f"{type(error).__name__}: {error}")
    return prediction, cost_of_steps(steps)


def _failure(kind: FailureKind, reason: str) -> Prediction:
    return Prediction(failure=kind, reason=reason[:MAX_REASON])

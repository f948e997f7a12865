"""One judgement of a run's answers: what was judged before is kept, the rest is asked for."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from pydantic import BaseModel

from avr_ros.evaluation.errors import JudgeSilentError
from avr_ros.evaluation.files import AppendedFile
from avr_ros.evaluation.judge_lines import read_lines, to_ask_again
from avr_ros.evaluation.out_of_reach import OutOfReach
from avr_ros.reasoning.call import CallOutcome

Line = TypeVar("Line", bound=BaseModel)


@dataclass(frozen=True)
class LineFacts:
    """What the loop must know of a line: whose and of what it is, and whether it says anything.

    ``mark`` is what the judge gave, none without a clear mark; ``outcome`` is how its call ended,
    none where nothing was asked.
    """

    judge: str
    question_id: str
    attempt: int
    mark: float | None
    outcome: CallOutcome | None


@dataclass(frozen=True)
class Judging(Generic[Line]):
    """A file of lines of one type, ``what`` in words, and what is known of each line."""

    path: Path
    line_type: type[Line]
    what: str
    facts: Callable[[Line], LineFacts]

    def lines(
        self,
        judge: str,
        wanted: Sequence[tuple[str, int, Callable[[], Line]]],
        advance: Callable[[], None] = lambda: None,
    ) -> list[Line]:
        """The line of each wanted answer: question id, attempt, and how the judge is asked.

        A judge that was out of reach is asked again, one that gave no clear mark is not. New lines
        are on the disk before the next answer is judged. Raises BadInputError for a damaged file
        and JudgeSilentError where the judge stays out of reach.
        """
        known: dict[tuple[str, int], Line] = {}
        for line in read_lines(self.path, self.line_type, self.what):
            told = self.facts(line)
            if told.judge == judge and not to_ask_again(told.mark, told.outcome):
                known[told.question_id, told.attempt] = line
        away = OutOfReach()
        lines: list[Line] = []
        file = AppendedFile(self.path)
        try:
            for name, attempt, ask in wanted:
                kept = known.get((name, attempt))
                if kept is None:
                    kept = ask()
                    file.append(kept.model_dump_json().encode() + b"\n")
                    outcome = self.facts(kept).outcome
                    if outcome is not None and away.gone(outcome is CallOutcome.UNAVAILABLE):
                        raise JudgeSilentError(
                            f"the judge {judge} was out of reach {away.most} times in a row; "
                            f"{self.path} keeps what it said and why, and the same command "
                            "goes on from there"
                        )
                lines.append(kept)
                advance()
        finally:
            file.close()
        return lines

"""Replies from a script, for tests of what asks."""

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from avr_ros.reasoning.backend import StageReply
from avr_ros.reasoning.call import CallOutcome, ModelCallError, record_of
from avr_ros.reasoning.reply_text import ReplyTextError, read_reply
from avr_ros.reasoning.stage import Reply, StageRequest

Script = Sequence[str] | Callable[[StageRequest[Any]], str]


class ScriptedBackend:
    """Says what it was told to: for each stage a list of texts in order, or a function."""

    def __init__(self, scripts: Mapping[str, Script]) -> None:
        self._scripts = dict(scripts)
        self._said: dict[str, int] = {}
        self._lock = threading.Lock()
        self.requests: list[StageRequest[Any]] = []

    @property
    def name(self) -> str:
        """``scripted``."""
        return "scripted"

    def ask(self, request: StageRequest[Reply]) -> StageReply[Reply]:
        """Say the next text. Raises ModelCallError where there is none or it is no reply."""
        text, problem = self._next(request)
        outcome = CallOutcome.UNAVAILABLE if problem else CallOutcome.OK
        value: Reply | None = None
        if not problem:
            try:
                value = read_reply(text, request.reply_type)
            except ReplyTextError as error:
                outcome, problem = CallOutcome.INVALID_REPLY, str(error)
        record = record_of(
            request,
            backend=self.name,
            outcome=outcome,
            reply=None if value is None else value.model_dump(mode="json"),
            text=text,
            problem=problem,
            attempts=1,
        )
        if value is None:
            raise ModelCallError(record)
        return StageReply(value, record)

    def close(self) -> None:
        """There is nothing to let go of."""

    def _next(self, request: StageRequest[Any]) -> tuple[str, str]:
        with self._lock:
            self.requests.append(request)
            script = self._scripts.get(request.stage)
            if script is None:
                return "", "the script has nothing for this stage"
            if callable(script):
                return script(request), ""
            index = self._said.get(request.stage, 0)
            self._said[request.stage] = index + 1
            if index >= len(script):
                return "", "the script is at its end"
            return script[index], ""

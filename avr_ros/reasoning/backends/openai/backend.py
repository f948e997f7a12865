"""The server backend: formats, repairs, retries, deadline, cache."""

import asyncio
import hashlib
import json
import os
import time
from dataclasses import dataclass, field
from typing import Any, Final, Generic

import openai

from avr_ros.reasoning.backend import StageReply
from avr_ros.reasoning.backends.openai.exchange import (
    LIMIT,
    NEWER_LIMIT,
    Exchange,
    Verdict,
    exchange,
)
from avr_ros.reasoning.backends.openai.loop_thread import LoopThread
from avr_ros.reasoning.backends.openai.messages import (
    Message,
    first_messages,
    repair_messages,
)
from avr_ros.reasoning.backends.openai.prompts import PromptBook
from avr_ros.reasoning.backends.openai.reply_format import ReplyFormat, response_format
from avr_ros.reasoning.backends.openai.settings import OpenAISettings
from avr_ros.reasoning.cache import ReplyCache
from avr_ros.reasoning.call import CallOutcome, CallRecord, ModelCallError, record_of
from avr_ros.reasoning.reply_text import ReplyTextError, read_reply
from avr_ros.reasoning.stage import Reply, StageRequest
from avr_ros.schema.seeds import generator

KEY_VARIABLE: Final = "AVR_API_KEY"
"""Environment variable that holds the server's key."""

_NO_KEY: Final = "none"
_MAX_TEXT: Final = 20_000


@dataclass
class _Call(Generic[Reply]):
    """One call while it is made."""

    request: StageRequest[Reply]
    attempts: int = 0
    repairs: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_reasoning: int = 0
    reply_format: ReplyFormat = ReplyFormat.JSON_SCHEMA
    limit: str = LIMIT
    text: str = ""
    problem: str = ""
    value: Reply | None = None
    said: list[Message] = field(default_factory=list)


class OpenAIBackend:
    """Asks a server. Thread-safe.

    A call ends within its deadline whatever the server does. Connections that fail, time-outs,
    server errors and responses that are no chat completion are tried again after a growing wait
    (the server's own wish counts); a reply of the wrong type is sent back to be repaired.
    """

    def __init__(
        self,
        url: str,
        model: str,
        settings: OpenAISettings | None = None,
        prompts: PromptBook | None = None,
        cache: ReplyCache | None = None,
    ) -> None:
        """Ask ``model`` at ``url``; the key comes from the variable ``AVR_API_KEY``, if set."""
        self._url = url
        self._model = model
        self._settings = settings or OpenAISettings()
        self._prompts = prompts or PromptBook()
        self._cache = cache
        self._key = os.environ.get(KEY_VARIABLE, "")
        self._supported = ReplyFormat.JSON_SCHEMA
        self._limit = LIMIT
        self._thread = LoopThread()
        self._client, self._places = self._thread.run(self._connect())

    @property
    def name(self) -> str:
        """``openai:URL#MODEL``."""
        return f"openai:{self._url}#{self._model}"

    def ask(self, request: StageRequest[Reply]) -> StageReply[Reply]:
        """Answer a stage. Raises ModelCallError, and PromptError for a stage without template."""
        cache = self._cache if self._cachable else None
        key = self._cache_key(request) if cache is not None else ""
        if cache is not None:
            kept = cache.get(key)
            if kept is not None:
                record = kept.model_copy(
                    update={"cached": True, "scope": request.scope, "seconds": 0.0, "attempts": 0}
                )
                return StageReply(request.reply_type.model_validate(kept.reply), record)
        started = time.perf_counter()
        call = _Call(request, reply_format=self._supported, limit=self._limit)
        outcome = self._thread.run(self._within_deadline(call))
        record = self._record(call, outcome, time.perf_counter() - started)
        if call.value is None or outcome is not CallOutcome.OK:
            raise ModelCallError(record)
        if cache is not None:
            cache.put(key, record)
        return StageReply(call.value, record)

    def close(self) -> None:
        """Close connections and the thread; calls that are running end as cancelled."""
        self._thread.run(self._client.close())
        self._thread.close()

    @property
    def _cachable(self) -> bool:
        return self._settings.temperature == 0.0 or self._settings.cache_sampled

    async def _connect(self) -> tuple[openai.AsyncOpenAI, asyncio.Semaphore]:
        # Made inside the loop: on Python 3.10 both would bind to another one otherwise.
        client = openai.AsyncOpenAI(
            base_url=self._url,
            api_key=self._key or _NO_KEY,
            max_retries=0,
            timeout=self._settings.deadline_seconds,
        )
        return client, asyncio.Semaphore(self._settings.concurrency)

    async def _within_deadline(self, call: _Call[Reply]) -> CallOutcome:
        try:
            return await asyncio.wait_for(self._converse(call), self._settings.deadline_seconds)
        except asyncio.TimeoutError:
            waited = f"no reply within {self._settings.deadline_seconds:g} s"
            call.problem = f"{waited}; last: {call.problem}" if call.problem else waited
            return CallOutcome.TIMEOUT

    async def _converse(self, call: _Call[Reply]) -> CallOutcome:
        failures = 0
        while True:
            call.attempts += 1
            result = await self._exchange(call)
            call.tokens_in += result.tokens_in
            call.tokens_out += result.tokens_out
            call.tokens_reasoning += result.tokens_reasoning
            call.problem = result.problem
            if result.verdict is Verdict.REPLIED:
                if self._read(call, result):
                    self._supported = max(self._supported, call.reply_format)
                    return CallOutcome.OK
                if call.repairs >= self._settings.repairs:
                    return CallOutcome.INVALID_REPLY
                call.repairs += 1
                call.said += repair_messages(call.text[:_MAX_TEXT], call.problem)
            elif (
                result.verdict is Verdict.OTHER_FORMAT and call.reply_format is not ReplyFormat.TEXT
            ):
                call.reply_format = ReplyFormat(call.reply_format + 1)
            elif result.verdict is Verdict.OTHER_LIMIT and call.limit == LIMIT:
                call.limit = self._limit = NEWER_LIMIT
            elif result.verdict is Verdict.TRY_AGAIN:
                failures += 1
                if failures >= self._settings.attempts:
                    return CallOutcome.UNAVAILABLE
                await asyncio.sleep(self._wait(call, failures, result.wait))
            elif result.verdict is Verdict.REFUSED:
                return CallOutcome.REFUSED
            else:
                return CallOutcome.UNAVAILABLE

    async def _exchange(self, call: _Call[Reply]) -> Exchange:
        body = self._body(call)
        async with self._places:
            try:
                return await asyncio.wait_for(
                    exchange(self._client, body, self._settings.max_reply_bytes),
                    self._settings.attempt_seconds,
                )
            except asyncio.TimeoutError:
                waited = f"no whole response within {self._settings.attempt_seconds:g} s"
                return Exchange(Verdict.TRY_AGAIN, problem=waited)

    def _read(self, call: _Call[Reply], result: Exchange) -> bool:
        call.text = self._without_key(result.text)
        try:
            call.value = read_reply(call.text, call.request.reply_type)
        except ReplyTextError as error:
            cut = f"the reply was cut off at {self._settings.max_tokens} tokens; "
            call.problem = (cut if result.cut_short else "") + str(error)
            return False
        return True

    def _wait(self, call: _Call[Reply], failures: int, wish: float | None) -> float:
        """Seconds before the next request: doubling, with jitter, and never less than wished."""
        settings = self._settings
        random = generator(settings.seed, "wait", call.request.scope, call.request.key, failures)
        longest = min(settings.wait_seconds * 2.0 ** (failures - 1), settings.longest_wait_seconds)
        return max(wish or 0.0, float(random.uniform(0.5, 1.0)) * longest)

    def _body(self, call: _Call[Reply]) -> dict[str, Any]:
        settings = self._settings
        messages = first_messages(
            call.request,
            self._prompts,
            settings.max_image_bytes,
            with_schema=call.reply_format is not ReplyFormat.JSON_SCHEMA,
        )
        body: dict[str, Any] = {
            "model": self._model,
            "messages": messages + call.said,
            "temperature": settings.temperature,
            "top_p": settings.top_p,
            call.limit: settings.max_tokens,
            "seed": settings.seed,
        }
        form = response_format(call.request, call.reply_format)
        if form is not None:
            body["response_format"] = form
        return body

    def _cache_key(self, request: StageRequest[Any]) -> str:
        """Hash of the whole request: server, model, messages with pictures, schema, sampling."""
        call = _Call(request)
        content = {"url": self._url, "body": self._body(call)}
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()

    def _record(self, call: _Call[Reply], outcome: CallOutcome, seconds: float) -> CallRecord:
        ok = outcome is CallOutcome.OK
        return record_of(
            call.request,
            backend=self.name,
            outcome=outcome,
            reply=call.value.model_dump(mode="json") if ok and call.value is not None else None,
            text=call.text[:_MAX_TEXT],
            problem="" if ok else self._without_key(call.problem),
            attempts=call.attempts,
            reply_format=call.reply_format.name.lower(),
            tokens_in=call.tokens_in,
            tokens_out=call.tokens_out,
            tokens_reasoning=call.tokens_reasoning,
            seconds=seconds,
        )

    def _without_key(self, text: str) -> str:
        """A server may repeat the key in what it says; it must not reach a file."""
        return text.replace(self._key, "[key]") if self._key else text

"""One request and its response, with every way in which it can go wrong as a value."""

import email.utils
import json
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from enum import Enum
from http import HTTPStatus
from typing import Any

import openai
from openai.types.chat import ChatCompletion
from pydantic import ValidationError

from avr_ros.reasoning.backends.openai.reply_format import refuses_format


class Verdict(Enum):
    """What to do after an exchange."""

    REPLIED = "replied"
    TRY_AGAIN = "try again"
    OTHER_FORMAT = "other format"
    OTHER_LIMIT = "other name for the token limit"
    REFUSED = "refused"
    HOPELESS = "hopeless"


@dataclass(frozen=True)
class Exchange:
    """What came of one request. ``wait`` is the server's wish in seconds before the next one."""

    verdict: Verdict
    text: str = ""
    problem: str = ""
    cut_short: bool = False
    wait: float | None = None
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_reasoning: int = 0


LIMIT = "max_tokens"
NEWER_LIMIT = "max_completion_tokens"
"""What OpenAI's newer models call ``max_tokens``; they refuse the other name and say this one."""

_RETRIED_STATUSES = frozenset({408, 409, 425, 429})
_EXCERPT = 300


async def exchange(
    client: openai.AsyncOpenAI, body: dict[str, Any], max_reply_bytes: int
) -> Exchange:
    """Send one request and read its response, at most ``max_reply_bytes`` of it."""
    # As the extra body, since the client copies its own arguments key by key, pictures and schemas
    # included, which takes longer than all the rest of a call.
    create = client.chat.completions.with_streaming_response.create
    try:
        async with create(model=body["model"], messages=[], extra_body=body) as response:
            try:
                data = await _whole(response.iter_bytes(), max_reply_bytes)
            except Exception as error:  # the client passes on whatever its HTTP library raises
                problem = f"connection: {type(error).__name__}: {error}"
                return Exchange(Verdict.TRY_AGAIN, problem=problem)
            kind = response.headers.get("content-type", "")
    except openai.APIStatusError as error:
        return _refused(error)
    except openai.APITimeoutError:
        return Exchange(Verdict.TRY_AGAIN, problem="the server did not respond in time")
    except openai.APIConnectionError as error:
        cause = error.__cause__ or error
        return Exchange(Verdict.TRY_AGAIN, problem=f"connection: {type(cause).__name__}: {cause}")
    return _read(data, kind)


async def _whole(chunks: AsyncIterator[bytes], most: int) -> bytes:
    """All bytes of a body. Raises ValueError for more than ``most``."""
    data = bytearray()
    async for chunk in chunks:
        data += chunk
        if len(data) > most:
            raise ValueError(f"a response of over {most} bytes")
    return bytes(data)


def _read(data: bytes, content_type: str) -> Exchange:
    try:
        completion = ChatCompletion.model_validate(json.loads(data))
        choice = completion.choices[0]
    except (ValueError, ValidationError, IndexError, RecursionError):
        excerpt = data[:_EXCERPT].decode("utf-8", "replace").strip()
        return Exchange(
            Verdict.TRY_AGAIN,
            problem=f"no chat completion in a response of type {content_type or 'unknown'!r}: "
            f"{excerpt!r}",
        )
    refusal = choice.message.refusal
    if refusal or choice.finish_reason == "content_filter":
        problem = refusal or "the server's filter stopped the reply"
        return _with_tokens(Exchange(Verdict.REFUSED, problem=problem), completion)
    replied = Exchange(
        Verdict.REPLIED,
        text=choice.message.content or "",
        cut_short=choice.finish_reason == "length",
    )
    return _with_tokens(replied, completion)


def _with_tokens(result: Exchange, completion: ChatCompletion) -> Exchange:
    usage = completion.usage
    if usage is None:
        return result
    details = usage.completion_tokens_details
    return replace(
        result,
        tokens_in=max(usage.prompt_tokens, 0),
        tokens_out=max(usage.completion_tokens, 0),
        tokens_reasoning=max(details.reasoning_tokens or 0, 0) if details is not None else 0,
    )


def _refused(error: openai.APIStatusError) -> Exchange:
    status = error.status_code
    body = error.response.text[: 10 * _EXCERPT]
    problem = f"HTTP {status}: {body[:_EXCERPT].strip() or error.message}"
    if status == HTTPStatus.BAD_REQUEST and NEWER_LIMIT in body:
        return Exchange(Verdict.OTHER_LIMIT, problem=problem)
    if refuses_format(status, body):
        return Exchange(Verdict.OTHER_FORMAT, problem=problem)
    if status in _RETRIED_STATUSES or status >= 500:
        wait = retry_after(error.response.headers.get("retry-after", ""))
        return Exchange(Verdict.TRY_AGAIN, problem=problem, wait=wait)
    return Exchange(Verdict.HOPELESS, problem=problem)


def retry_after(value: str) -> float | None:
    """Seconds of a ``Retry-After`` header, which holds seconds or a date (RFC 9110, 10.2.3)."""
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = email.utils.parsedate_to_datetime(value).timestamp() - time.time()
        except (TypeError, ValueError):
            return None
    return max(0.0, seconds) if seconds == seconds else None

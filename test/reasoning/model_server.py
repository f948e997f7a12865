"""A real HTTP server that behaves as told, for tests of the server backend."""

import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


def completion(text: str | None, finish: str = "stop", refusal: str | None = None) -> bytes:
    """The body of a chat completion."""
    return json.dumps(
        {
            "id": "1",
            "object": "chat.completion",
            "created": 1,
            "model": "m",
            "choices": [
                {
                    "index": 0,
                    "finish_reason": finish,
                    "message": {"role": "assistant", "content": text, "refusal": refusal},
                }
            ],
            "usage": {
                "prompt_tokens": 11,
                "completion_tokens": 7,
                "total_tokens": 18,
                "completion_tokens_details": {"reasoning_tokens": 3},
            },
        }
    ).encode()


Behaviour = Callable[["Handler", dict[str, Any]], None]


def says(text: str, **more: Any) -> Behaviour:
    """Answer with a chat completion."""
    return lambda handler, body: handler.send(200, completion(text, **more))


def status(code: int, text: str = "", headers: dict[str, str] | None = None) -> Behaviour:
    """Answer with an error."""
    return lambda handler, body: handler.send(code, text.encode(), headers=headers)


def raw(data: bytes, content_type: str) -> Behaviour:
    """Answer 200 with some body."""
    return lambda handler, body: handler.send(200, data, content_type)


def half(handler: "Handler", body: dict[str, Any]) -> None:
    """Promise a body and send half of it."""
    data = completion('{"frame_id": 3}')
    handler.start(200, len(data))
    handler.wfile.write(data[: len(data) // 2])


def reset(handler: "Handler", body: dict[str, Any]) -> None:
    """Reset the connection instead of answering."""
    linger = struct.pack("ii", 1, 0)
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    handler.connection.close()


def silent(handler: "Handler", body: dict[str, Any]) -> None:
    """Say nothing until the test is over."""
    handler.told.over.wait()


def whitespace(handler: "Handler", body: dict[str, Any]) -> None:
    """Send blanks, slowly and for ever."""
    handler.start(200, None)
    while not handler.told.over.wait(0.01):
        handler.wfile.write(b" " * 100)
        handler.wfile.flush()


@dataclass
class Told:
    """What the server does next, and what it was asked. The last behaviour repeats."""

    behaviours: list[Behaviour]
    bodies: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)
    over: threading.Event = field(default_factory=threading.Event)

    def next(self, body: dict[str, Any], key: str) -> Behaviour:
        with self.lock:
            self.bodies.append(body)
            self.keys.append(key)
            index = min(len(self.bodies), len(self.behaviours)) - 1
            return self.behaviours[index]


class Handler(BaseHTTPRequestHandler):
    """Does what it is told."""

    protocol_version = "HTTP/1.1"
    told: Told

    def do_POST(self) -> None:
        length = int(self.headers["content-length"])
        body = json.loads(self.rfile.read(length))
        with suppress(OSError):
            self.told.next(body, self.headers.get("authorization", ""))(self, body)
        self.close_connection = True

    def send(
        self,
        code: int,
        data: bytes,
        content_type: str = "application/json",
        headers: dict[str, str] | None = None,
    ) -> None:
        self.start(code, len(data), content_type, headers)
        self.wfile.write(data)

    def start(
        self,
        code: int,
        length: int | None,
        content_type: str = "application/json",
        headers: dict[str, str] | None = None,
    ) -> None:
        self.send_response(code)
        self.send_header("content-type", content_type)
        if length is not None:
            self.send_header("content-length", str(length))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("connection", "close")
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Say nothing."""


@contextmanager
def model_server(*behaviours: Behaviour) -> Iterator[tuple[str, Told]]:
    """A server on a free port; yields its URL and what it was asked."""
    told = Told(list(behaviours))
    handler = type("ToldHandler", (Handler,), {"told": told})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1", told
    finally:
        told.over.set()
        server.shutdown()
        thread.join()
        server.server_close()

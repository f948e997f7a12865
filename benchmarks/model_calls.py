"""Calls per second that many workers get out of a server, beside what the server could give.

    python benchmarks/model_calls.py [--workers 32] [--calls 25] [--seconds 0.2] [--rounds 3]

The server runs in another process and takes 0.2 s for each call, as many at once as come. Every
call carries one view. Ideal is the number of workers divided by the server's seconds; the target
is 85 % of it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import statistics
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from pathlib import Path

import cv2
import numpy as np

from avr_ros.reasoning.backends.openai.backend import OpenAIBackend
from avr_ros.reasoning.backends.openai.prompts import PromptBook
from avr_ros.reasoning.backends.openai.settings import OpenAISettings
from avr_ros.reasoning.stage import StageImage, StageRequest, limited
from avr_ros.recordings import jpeg
from avr_ros.schema.model import Record

TARGET = 0.85
TEMPLATE = (
    "{% block system %}You look.{% endblock %}"
    "{% block user %}{{ question }} Frames: {{ frames | join(', ') }}.{% endblock %}"
)


class Inputs(Record):
    """What is told."""

    question: str
    frames: tuple[int, ...]


class Look(Record):
    """Where to look."""

    frame_id: int


def serve(ready: Connection, seconds: float) -> None:
    """Answer every request ``seconds`` after it has come in whole; send the port to ``ready``."""
    message = {"role": "assistant", "content": '{"frame_id": 3}'}
    body = json.dumps(
        {
            "id": "1",
            "object": "chat.completion",
            "created": 1,
            "model": "m",
            "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
            "usage": {"prompt_tokens": 900, "completion_tokens": 9, "total_tokens": 909},
        }
    ).encode()
    head = f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n"
    response = head.encode() + b"\r\n" + body

    async def converse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                header = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
                length = int(header.split("content-length:")[1].split("\r\n")[0])
                await reader.readexactly(length)
                await asyncio.sleep(seconds)
                writer.write(response)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def main() -> None:
        server = await asyncio.start_server(converse, "127.0.0.1", 0, limit=1 << 20)
        ready.send(server.sockets[0].getsockname()[1])
        async with server:
            await server.serve_forever()

    asyncio.run(main())


def picture() -> bytes:
    """A view as large as a street scene is: about 50 kB of JPEG."""
    noise = np.random.default_rng(0).integers(0, 256, (480, 480, 3), dtype=np.uint8)
    return jpeg.encode(cv2.GaussianBlur(noise, (0, 0), 1.2).astype(np.uint8))


def calls_per_second(model: OpenAIBackend, workers: int, calls: int, image: bytes) -> float:
    """Let each worker make its calls, one after another, and return the rate of all."""

    def work(worker: int) -> None:
        for number in range(calls):
            request = StageRequest(
                "look",
                Inputs(question=f"Where is person {worker}?", frames=tuple(range(number, 40))),
                limited(Look, frame_id=range(40)),
                (StageImage("view", image),),
            )
            model.ask(request)

    started = time.perf_counter()
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(work, range(workers)))
    return workers * calls / (time.perf_counter() - started)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--workers", type=int, default=32)
    parser.add_argument("--calls", type=int, default=25, help="calls of each worker")
    parser.add_argument("--seconds", type=float, default=0.2, help="the server's time for a call")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    image = picture()
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    server = context.Process(target=serve, args=(sender, given.seconds), daemon=True)
    server.start()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "look.jinja").write_text(TEMPLATE)
        model = OpenAIBackend(
            f"http://127.0.0.1:{receiver.recv()}/v1",
            "m",
            OpenAISettings(concurrency=given.workers),
            PromptBook(Path(folder)),
        )
        calls_per_second(model, given.workers, 2, image)
        rates, seconds = [], []
        for _ in range(given.rounds):
            before = time.process_time()
            rates.append(calls_per_second(model, given.workers, given.calls, image))
            seconds.append((time.process_time() - before) / (given.workers * given.calls))
        model.close()
    server.terminate()
    server.join()
    ideal = given.workers / given.seconds
    share = statistics.median(rates) / ideal
    print(
        f"{given.workers} workers, {given.seconds:g} s a call, one view of {len(image) / 1e3:.0f} "
        f"kB: {statistics.median(rates):.1f} calls/s of {ideal:.0f} ideal, {share:.0%} "
        f"(target {TARGET:.0%}); {1e3 * statistics.median(seconds):.2f} ms of processor a call"
    )


if __name__ == "__main__":
    main()

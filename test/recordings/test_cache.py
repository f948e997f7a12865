"""The cache holds no more than its bound and makes each value once; prefetching ends cleanly."""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from avr_ros.recordings.byte_bounded_cache import ByteBoundedCache
from avr_ros.recordings.errors import DamagedRecording
from avr_ros.recordings.prefetcher import Prefetcher

SECONDS = 20.0
"""More than any of this takes, so that a deadlock fails instead of hanging."""


@given(
    st.integers(0, 40),
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 20)), max_size=80),
)
def test_it_behaves_as_a_list_of_the_latest_used(
    max_bytes: int, requests: list[tuple[int, int]]
) -> None:
    cache: ByteBoundedCache[int, bytes] = ByteBoundedCache(max_bytes, len)
    model: OrderedDict[int, bytes] = OrderedDict()
    for key, size in requests:
        made = []
        value = cache.get(key, lambda size=size, made=made: made.append(1) or bytes(size))
        if key in model:
            assert not made and value == model[key]
            model.move_to_end(key)
        else:
            assert made and len(value) == size
            if size <= max_bytes:
                model[key] = value
                while sum(map(len, model.values())) > max_bytes:
                    model.popitem(last=False)
        assert cache.bytes_held == sum(map(len, model.values())) <= max_bytes
        assert len(cache) == len(model)
        assert all(held in cache for held in model)
    cache.discard(3)
    assert 3 not in cache
    cache.clear()
    assert cache.bytes_held == len(cache) == 0


def test_threads_that_ask_at_once_share_one_making() -> None:
    cache: ByteBoundedCache[str, bytes] = ByteBoundedCache(100, len)
    entered, leave = threading.Event(), threading.Event()
    makings = []

    def make() -> bytes:
        makings.append(threading.get_ident())
        entered.set()
        assert leave.wait(SECONDS)
        return b"value"

    with ThreadPoolExecutor(8) as pool:
        first = pool.submit(cache.get, "key", make)
        assert entered.wait(SECONDS)
        others = [pool.submit(cache.get, "key", make) for _ in range(7)]
        assert cache.get("other", lambda: b"free") == b"free", "another key does not wait"
        leave.set()
        values = [future.result(SECONDS) for future in (first, *others)]
    assert len(makings) == 1
    assert all(value is values[0] for value in values)


def test_an_error_reaches_all_that_wait_and_is_not_kept() -> None:
    cache: ByteBoundedCache[str, bytes] = ByteBoundedCache(100, len)
    entered, leave = threading.Event(), threading.Event()

    def fail() -> bytes:
        entered.set()
        assert leave.wait(SECONDS)
        raise DamagedRecording("no")

    with ThreadPoolExecutor(4) as pool:
        first = pool.submit(cache.get, "key", fail)
        assert entered.wait(SECONDS)
        others = [pool.submit(cache.get, "key", fail) for _ in range(3)]
        leave.set()
        for future in (first, *others):
            with pytest.raises(DamagedRecording):
                future.result(SECONDS)
    assert "key" not in cache
    assert cache.get("key", lambda: b"now") == b"now"


def test_an_interrupted_making_is_taken_over() -> None:
    cache: ByteBoundedCache[str, bytes] = ByteBoundedCache(100, len)
    entered, leave = threading.Event(), threading.Event()

    def interrupted() -> bytes:
        entered.set()
        assert leave.wait(SECONDS)
        raise KeyboardInterrupt

    caught = []

    def ask() -> None:
        try:
            cache.get("key", interrupted)
        except KeyboardInterrupt:
            caught.append(True)

    thread = threading.Thread(target=ask)
    thread.start()
    assert entered.wait(SECONDS)
    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(cache.get, "key", lambda: b"mine")
        leave.set()
        assert other.result(SECONDS) == b"mine"
    thread.join(SECONDS)
    assert caught


def test_what_is_cleared_while_being_made_is_not_kept() -> None:
    cache: ByteBoundedCache[str, bytes] = ByteBoundedCache(100, len)
    for forget in (cache.clear, lambda: cache.discard("key")):
        assert cache.get("key", lambda forget=forget: forget() or b"old") == b"old"
        assert "key" not in cache and cache.bytes_held == 0


def test_many_threads_keep_the_bound_and_the_values() -> None:
    cache: ByteBoundedCache[int, bytes] = ByteBoundedCache(500, len)
    at_once: Counter[int] = Counter()
    lock = threading.Lock()

    def make(key: int) -> bytes:
        with lock:
            at_once[key] += 1
            assert at_once[key] == 1
        value = bytes([key]) * 100
        with lock:
            at_once[key] -= 1
        return value

    def ask(start: int) -> None:
        for step in range(400):
            key = (start * 7 + step * step) % 11
            assert cache.get(key, lambda key=key: make(key)) == bytes([key]) * 100
            assert cache.bytes_held <= 500

    with ThreadPoolExecutor(8) as pool:
        for future in [pool.submit(ask, start) for start in range(8)]:
            future.result(SECONDS)


def test_a_cache_of_less_than_nothing() -> None:
    with pytest.raises(ValueError, match="cannot hold"):
        ByteBoundedCache(-1, len)


def test_prefetching_takes_the_latest_first_and_drops_the_oldest() -> None:
    entered, leave = threading.Event(), threading.Event()
    done = []

    def work(item: int) -> None:
        entered.set()
        assert leave.wait(SECONDS)
        done.append(item)

    prefetcher = Prefetcher(work, capacity=3)
    prefetcher.request([0])
    assert entered.wait(SECONDS)
    prefetcher.request([1, 2, 3, 4])
    prefetcher.request([2])
    assert not prefetcher.wait_idle(0)
    leave.set()
    assert prefetcher.wait_idle(SECONDS)
    assert done == [0, 2, 4, 3]
    prefetcher.close()


def test_an_error_in_prefetching_ends_nothing() -> None:
    done = []

    def work(item: int) -> None:
        if item == 1:
            raise DamagedRecording("no")
        done.append(item)

    prefetcher = Prefetcher(work)
    prefetcher.request([1])
    assert prefetcher.wait_idle(SECONDS)
    prefetcher.request([2])
    assert prefetcher.wait_idle(SECONDS)
    assert done == [2]
    prefetcher.close()


def test_closing_waits_for_what_is_under_way_and_drops_the_rest() -> None:
    entered, leave = threading.Event(), threading.Event()
    done = []

    def work(item: int) -> None:
        entered.set()
        assert leave.wait(SECONDS)
        done.append(item)

    prefetcher = Prefetcher(work)
    prefetcher.request([1])
    assert entered.wait(SECONDS)
    prefetcher.request([2, 3])
    closer = threading.Thread(target=prefetcher.close)
    closer.start()
    leave.set()
    closer.join(SECONDS)
    assert not closer.is_alive()
    assert done == [1]
    prefetcher.request([4])
    prefetcher.close()
    assert done == [1]
    Prefetcher(work).close()

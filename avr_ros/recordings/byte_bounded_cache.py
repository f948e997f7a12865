"""A least-recently-used cache that is bounded in bytes and makes each value once."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class _Making(Generic[Value]):
    """A value that one thread is making and others wait for."""

    def __init__(self) -> None:
        self.done = threading.Event()
        self.values: list[Value] = []
        self.error: Exception | None = None


class ByteBoundedCache(Generic[Key, Value]):
    """Values by key, at most ``max_bytes`` of them as ``size_of`` counts; safe between threads.

    Threads that ask for the same missing key at once get the value that the first of them makes.
    A value larger than the bound is handed out and not kept.
    """

    def __init__(self, max_bytes: int, size_of: Callable[[Value], int]) -> None:
        if max_bytes < 0:
            raise ValueError(f"a cache cannot hold {max_bytes} bytes")
        self.max_bytes = max_bytes
        self._size_of = size_of
        self._lock = threading.Lock()
        self._values: OrderedDict[Key, Value] = OrderedDict()
        self._making: dict[Key, _Making[Value]] = {}
        self._bytes = 0

    @property
    def bytes_held(self) -> int:
        """Bytes of all values held now."""
        return self._bytes

    def __len__(self) -> int:
        """Return how many values are held now."""
        return len(self._values)

    def __contains__(self, key: Key) -> bool:
        """Tell whether a value is held now; does not count as a use."""
        return key in self._values

    def get(self, key: Key, make: Callable[[], Value]) -> Value:
        """Return the value of a key, made by ``make`` where it is not held.

        An exception of ``make`` goes to every thread that waits for this value; nothing is kept,
        so that the next request tries again.
        """
        while True:
            with self._lock:
                if key in self._values:
                    self._values.move_to_end(key)
                    return self._values[key]
                making = self._making.get(key)
                mine = making is None
                if making is None:
                    making = self._making[key] = _Making()
            if mine:
                return self._make(key, make, making)
            making.done.wait()
            if making.values:
                return making.values[0]
            if making.error is not None:
                raise making.error
            # The maker was interrupted (Ctrl-C in its thread): this thread takes over.

    def _make(self, key: Key, make: Callable[[], Value], making: _Making[Value]) -> Value:
        try:
            value = make()
            making.values.append(value)
        except Exception as error:
            making.error = error
            raise
        else:
            return value
        finally:
            with self._lock:
                # After clear() the flight is no longer listed and its value must not be kept.
                listed = self._making.get(key) is making
                if listed:
                    del self._making[key]
                if listed and making.values:
                    self._keep(key, making.values[0])
            making.done.set()

    def _keep(self, key: Key, value: Value) -> None:
        size = self._size_of(value)
        if size > self.max_bytes:
            return
        self._values[key] = value
        self._bytes += size
        while self._bytes > self.max_bytes:
            self._bytes -= self._size_of(self._values.popitem(last=False)[1])

    def discard(self, key: Key) -> None:
        """Forget a value, if it is held or being made."""
        with self._lock:
            self._making.pop(key, None)
            if key in self._values:
                self._bytes -= self._size_of(self._values.pop(key))

    def clear(self) -> None:
        """Forget every value, those being made included."""
        with self._lock:
            self._making.clear()
            self._values.clear()
            self._bytes = 0

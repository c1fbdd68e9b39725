"""Inputs by name, since each process has an order of its own for them.

A witness is bytes by input index, and a native worker hands out indices in the order in which its runs meet named
inputs.  What one process tells another is therefore the contents by name and size; the other one gives names that it
has not met yet their indices before any run does."""

from __future__ import annotations

from collections.abc import Iterable

from cinquefoil.machine.named import NamedInputs

Contents = tuple[tuple[bytes, int, bytes], ...]
"""Name, size and bytes of each input that is not all zero."""


class InputNames:
    """The named inputs of one worker, which may itself add to them by running."""

    def __init__(self, named: NamedInputs) -> None:
        self._named = named

    def named(self, data: bytes) -> Contents:
        """A witness's bytes by name."""
        contents = (
            (name, size, data[first : first + size]) for (name, size), first in self._named.first_indices.items()
        )
        return tuple(each for each in contents if each[2].strip(b"\0"))

    def witness(self, contents: Iterable[tuple[bytes, int, bytes]]) -> bytes | None:
        """The bytes that say the same to this worker; None if it has no room for so many names."""
        data = bytearray()
        for name, size, content in contents:
            first = self._named.first_indices.get((name, size))
            if first is None and (first := self._named.append(name, size)) is None:
                return None
            data.extend(bytes(max(0, first + len(content) - len(data))))
            data[first : first + len(content)] = content
        return bytes(data)

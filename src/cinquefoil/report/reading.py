"""JSON from a folder that anybody may have written: every value is looked at before it is believed.

What is absent has a default, what is of the wrong kind is the user's to mend.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Final, cast

from cinquefoil.errors import UserError
from cinquefoil.testcase.files import read_regular

_LARGEST: Final = 1 << 63


class Record:
    """One object of a JSON file; `where` names it in messages."""

    def __init__(self, value: object, where: str) -> None:
        if not isinstance(value, dict):
            raise damaged(where, "an object")
        self._value = cast("dict[str, object]", value)
        self.where = where

    def text(self, key: str, default: str = "") -> str:
        value = self._value.get(key, default)
        if not isinstance(value, str):
            raise damaged(f"{self.where}.{key}", "text")
        return value

    def is_text(self, key: str) -> bool:
        return isinstance(self._value.get(key), str)

    def whole(self, key: str, default: int = 0) -> int:
        return whole(self._value.get(key, default), f"{self.where}.{key}")

    def number(self, key: str, default: float = 0.0) -> float:
        return number(self._value.get(key, default), f"{self.where}.{key}")

    def flag(self, key: str, default: bool = False) -> bool:
        value = self._value.get(key, default)
        if not isinstance(value, bool):
            raise damaged(f"{self.where}.{key}", "true or false")
        return value

    def record(self, key: str) -> Record:
        """An empty one if it is absent or null."""
        return Record(self._value.get(key) or {}, f"{self.where}.{key}")

    def has(self, key: str) -> bool:
        return self._value.get(key) is not None

    def names(self) -> list[str]:
        return list(self._value)

    def items(self, key: str) -> Sequence[object]:
        value = self._value.get(key, [])
        if not isinstance(value, list):
            raise damaged(f"{self.where}.{key}", "a list")
        return cast("list[object]", value)

    def records(self, key: str) -> list[Record]:
        return [Record(item, f"{self.where}.{key}[{n}]") for n, item in enumerate(self.items(key))]

    def texts(self, key: str) -> list[str]:
        items = self.items(key)
        if not all(isinstance(item, str) for item in items):
            raise damaged(f"{self.where}.{key}", "a list of texts")
        return [str(item) for item in items]

    def rows(self, key: str, width: int) -> list[list[float]]:
        """A list of lists of `width` numbers each."""
        found: list[list[float]] = []
        for n, row in enumerate(self.items(key)):
            where = f"{self.where}.{key}[{n}]"
            if not isinstance(row, list) or len(cast("list[object]", row)) != width:
                raise damaged(where, f"a list of {width} numbers")
            found.append([number(value, where) for value in cast("list[object]", row)])
        return found


def read_record(path: Path) -> Record:
    """A JSON file that holds one object."""
    try:
        return Record(json.loads(read_regular(path)), path.name)
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise UserError(f"{path} is damaged: {error}") from error


def number(value: object, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < _LARGEST:
        raise damaged(where, "a number")  # not a number (nan) is not below anything either
    return value


def whole(value: object, where: str) -> int:
    found = number(value, where)
    if not math.isfinite(found) or found != int(found):
        raise damaged(where, "a whole number")
    return int(found)


def damaged(where: str, expected: str) -> UserError:
    return UserError(f"the results are damaged: {where} should be {expected}")

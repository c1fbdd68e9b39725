"""Inputs that covered something new, and their mutation.

An entry remembers which objects its run made.  Those that hold text can be changed (`mutators.py`): arguments, of which
the last byte stays zero, contents of files, memory the program named.  The numbers of arguments (`n_args`) change with
them.  What `--sym-stat` and the like add is left as it is.

Every new entry is continued systematically, and in between all are mutated at random: of two drawn entries the one that
was mutated less often is taken, and one to four mutators change one of its objects, seldom two.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from cinquefoil.exploration.mutations.api import Mutator, Pool
from cinquefoil.exploration.mutations.mutators import continuations
from cinquefoil.exploration.mutations.registry import make_all
from cinquefoil.machine.run import InputObject, Run

_COUNT = "n_args"
_LEFT_ALONE = ("-stat", "-short", "-fail", "model_version")
_MOST_ARGUMENTS = 3
_STACKED = (1, 1, 1, 2, 2, 3, 4)


@dataclass(slots=True)
class CorpusEntry:
    """An input; `texts` and `counts` are the objects of its run that may change."""

    data: bytes
    texts: list[InputObject]
    counts: list[InputObject]
    mutations: int = 0  # made of it so far


@dataclass(slots=True)
class Corpus:
    """The inputs that are mutated, and what their mutation draws from."""

    rng: random.Random
    words: Sequence[bytes] = ()
    mutators: Sequence[Mutator] = field(default_factory=make_all)
    entries: list[CorpusEntry] = field(default_factory=list[CorpusEntry])
    _waiting: deque[bytes] = field(default_factory=deque[bytes])  # continuations to try first
    _arguments: dict[str, InputObject] = field(default_factory=dict[str, InputObject])
    _pools: dict[bool, Pool] = field(init=False)  # with the texts of arguments, of others

    def __post_init__(self) -> None:
        self._pools = {kind: Pool(self.rng, self.words) for kind in (True, False)}

    def add(self, run: Run) -> None:
        """Takes in an input that covered something new."""
        texts = [each for each in run.objects if not each.name.startswith(_COUNT) and _may_change(each)]
        entry = CorpusEntry(run.witness, texts, [each for each in run.objects if each.name.startswith(_COUNT)])
        if not texts and not entry.counts:
            return
        self.entries.append(entry)
        for each in texts:
            text = text_of(run.witness, each)
            self._pools[is_argument(each)].keep(text)
            if is_argument(each):
                self._arguments[each.name] = each
            self._waiting.extend(_with(entry.data, each, longer) for longer in continuations(text, room_of(each)))

    def mutated(self) -> bytes:
        """The next input to try, made of an entry; there must be one."""
        if self._waiting and self.rng.random() < 0.5:
            return self._waiting.popleft()
        entry = min(self.rng.choices(self.entries, k=2), key=lambda entry: entry.mutations)
        entry.mutations += 1
        data = entry.data
        if entry.counts and self.rng.random() < 0.25:
            data = self._other_arguments(entry, data)
        for _ in range(self.rng.choice((1, 1, 1, 2)) if entry.texts else 0):
            data = self._changed(self.rng.choice(entry.texts), data)
        return data

    def _changed(self, each: InputObject, data: bytes) -> bytes:
        room, text = room_of(each), text_of(data, each)
        pool = self._pools[is_argument(each)]
        for _ in range(self.rng.choice(_STACKED)):
            text = self.rng.choice(self.mutators).mutate(text, room, pool)[:room]
        return _with(data, each, text)

    def _other_arguments(self, entry: CorpusEntry, data: bytes) -> bytes:
        """Another number of arguments; those that come in get texts."""
        for each in entry.counts:
            number = self.rng.randrange(_MOST_ARGUMENTS)
            data = _with(data, each, number.to_bytes(each.size, "little"))
        for each in self._arguments.values():
            if not text_of(data, each) and self.rng.random() < 0.5:
                data = _with(data, each, self._pools[True].text()[: room_of(each)])
        return data


def is_argument(each: InputObject) -> bool:
    return each.name.startswith("arg") and each.name[3:].isdecimal()


def room_of(each: InputObject) -> int:
    """Bytes that may change: an argument's last one ends it."""
    return each.size - 1 if is_argument(each) else each.size


def text_of(data: bytes, each: InputObject) -> bytes:
    """What an object holds: an argument up to its end, others without the zeros behind."""
    text = data[each.first : each.first + room_of(each)]
    return text.partition(b"\0")[0] if is_argument(each) else text.rstrip(b"\0")


def _with(data: bytes, each: InputObject, text: bytes) -> bytes:
    """An input with another content of an object."""
    end = each.first + each.size
    data = data.ljust(end, b"\0")
    return data[: each.first] + text[: each.size].ljust(each.size, b"\0") + data[end:]


def _may_change(each: InputObject) -> bool:
    return room_of(each) > 0 and not each.name.endswith(_LEFT_ALONE) and "-fail" not in each.name

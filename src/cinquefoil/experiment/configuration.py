"""A configuration: a named string of `cinq run` options.

`empc` is short for `--search empc`, `bfs+homi` for `--search bfs --prune homi`, `default` for no option at all; real
options may follow: `sgs:4 --prune homi`.  `NAME=...` gives another name, `@0.25` after the short form gives that
share of the budget (SGS's Table 5 compares quarters).  Nothing is checked here: what is wrong with an option, the
run itself says best.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from cinquefoil.errors import UserError

_NAMED: Final = re.compile(r"([^\s=-][^\s=]*)=(.*)", re.DOTALL)
_SHARE: Final = re.compile(r"@(\d*\.?\d+)(?:/(\d+))?\Z")
# Short words that stand for options other than --search; what follows a colon is the option's value.
_WORDS: Final = {"prune": "--prune", "meld": "--meld", "multiplex": "--multiplex"}
_VALUES: Final = {"homi": ("--prune", "homi"), "multiplex": ("--multiplex", "all"), "muse": ("--multiplex", "all")}


@dataclass(frozen=True, slots=True)
class Configuration:
    """`share` is of the budget.  With `best_of`, the options are added to those of the configuration among these that
    did best on the program, once all have run."""

    name: str
    options: tuple[str, ...] = ()
    share: float = 1.0
    best_of: tuple[str, ...] = ()


def parse_configuration(text: str) -> Configuration:
    """`UserError` if there is nothing in it or the share is none."""
    named = _NAMED.match(text.strip())
    content = named[2] if named else text.strip()
    try:
        words = shlex.split(content)
    except ValueError as error:
        raise UserError(f"configuration '{text}': {error}") from error
    if not words:
        raise UserError("a configuration is empty; 'default' means no options")
    short = words.pop(0) if not words[0].startswith("-") else ""
    short, share = _share(short)
    options = (*(option for word in short.split("+") if word for option in _expanded(word)), *words)
    return Configuration(named[1] if named else " ".join(content.split()), options, share)


def parse_configurations(texts: Iterable[str]) -> tuple[Configuration, ...]:
    """Names must be different."""
    return distinct([parse_configuration(text) for text in texts])


def distinct(configurations: Sequence[Configuration]) -> tuple[Configuration, ...]:
    seen: set[str] = set()
    for configuration in configurations:
        if configuration.name in seen:
            raise UserError(f"two configurations are called '{configuration.name}'; NAME=OPTIONS gives another name")
        seen.add(configuration.name)
    return tuple(configurations)


def _share(short: str) -> tuple[str, float]:
    found = _SHARE.search(short)
    if found is None:
        return short, 1.0
    share = float(found[1]) / int(found[2] or 1)
    if not 0 < share <= 1:
        raise UserError(f"'{found[0]}' is no share of the budget: more than 0, at most 1")
    return short[: found.start()], share


def _expanded(word: str) -> tuple[str, ...]:
    """The options that a word of the short form stands for."""
    if word == "default":
        return ()
    if word in _VALUES:
        return _VALUES[word]
    name, _, value = word.partition(":")
    if name in _WORDS:
        return (_WORDS[name], value) if value else (_WORDS[name],)
    return ("--search", word)

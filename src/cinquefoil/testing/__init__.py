"""Conformance: rules that every plug-in has to keep, for those who write one.

    import cinquefoil.testing
    import my_strategy  # registers "mine"

    def test_it_keeps_the_rules() -> None:
        cinquefoil.testing.check_searcher("mine")

Each `check_…` function takes a registered name and raises `AssertionError`, with what went wrong, if a rule is broken.
The rules are functions too (`SEARCHER_RULES` and its like), so that a test suite can run and report each by itself.
They are run over everything that Cinquefoil itself registers.
"""

from __future__ import annotations

from collections.abc import Callable

from cinquefoil.testing.format_rules import FORMAT_RULES
from cinquefoil.testing.layer_rules import LAYER_RULES
from cinquefoil.testing.mutator_rules import MUTATOR_RULES
from cinquefoil.testing.pruner_rules import PRUNER_RULES
from cinquefoil.testing.searcher_rules import SEARCHER_RULES

Rule = Callable[[str], None]

__all__ = [
    "FORMAT_RULES",
    "LAYER_RULES",
    "MUTATOR_RULES",
    "PRUNER_RULES",
    "SEARCHER_RULES",
    "check_format",
    "check_layer",
    "check_mutator",
    "check_pruner",
    "check_searcher",
]


def check_searcher(name: str) -> None:
    """The search strategy loses no state, gives none twice, and does the same for the same seed."""
    _check(SEARCHER_RULES, name)


def check_pruner(name: str) -> None:
    """The pruner chooses among what it is shown, comes to an end, and does the same for the same seed."""
    _check(PRUNER_RULES, name)


def check_layer(name: str) -> None:
    """The solver layer's answers are right, and it leaves alone what it does not decide."""
    _check(LAYER_RULES, name)


def check_mutator(name: str) -> None:
    """The mutator makes bytes of any bytes, the same for the same seed."""
    _check(MUTATOR_RULES, name)


def check_format(name: str) -> None:
    """The report format writes what it says it wrote, the same for the same results."""
    _check(FORMAT_RULES, name)


def _check(rules: tuple[Rule, ...], name: str) -> None:
    for rule in rules:
        rule(name)

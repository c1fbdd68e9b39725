"""Plug-ins by name: built-in, registered, installed; parameters after colons."""

from __future__ import annotations

import pytest

from cinquefoil.errors import UserError
from cinquefoil.registry import Registry


def made() -> Registry[object]:
    return Registry("number", "cinquefoil.nothing", {"frac": "fractions:Fraction", "frac:half": "fractions:Fraction"})


def test_names_are_those_built_in_and_registered() -> None:
    registry = made()
    registry.register("whole")(int)
    assert registry.names() == ["frac", "frac:half", "whole"]


def test_what_follows_the_longest_known_name_are_parameters() -> None:
    registry = made()
    assert registry.make("frac", 3) == 3
    assert str(registry.make("frac:1/2")) == "1/2"
    assert str(registry.make("frac:half:1/3")) == "1/3"


def test_a_registered_name_goes_before_a_built_in_one() -> None:
    registry = made()
    assert registry.register("frac")(int) is int
    assert type(registry.make("frac", 3)) is int


@pytest.mark.parametrize(
    ("name", "message"),
    [("fracs", "no number 'fracs': did you mean 'frac'"), ("zzz", "known are frac, frac:half"), ("frac:x", "unusable")],
)
def test_mistakes_are_told(name: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        made().make(name)

"""Options that make no sense are refused before anything is compiled; the function and the record agree."""

from __future__ import annotations

import dataclasses
import inspect
from pathlib import Path
from typing import Any

import pytest

import cinquefoil
from cinquefoil.cli.run_command import run as run_command
from cinquefoil.errors import UserError
from cinquefoil.exploration.options import Options
from cinquefoil.exploration.session.session import Task

ABSENT = "there-is-no-such-program.c"  # whoever looks for it has checked the options before
NAMES = {"search", "multiplex", "check", "no_check", "layers", "mutators", "plugins"}  # one name, or several


def test_explore_is_a_function_with_every_option() -> None:
    assert inspect.isfunction(cinquefoil.explore)
    assert inspect.getdoc(cinquefoil.explore)
    parameters = inspect.signature(cinquefoil.explore).parameters
    for field in dataclasses.fields(Options):
        parameter = parameters[field.name]
        assert parameter.kind is inspect.Parameter.KEYWORD_ONLY
        assert parameter.default == field.default, field.name
        if field.name not in NAMES | {"inputs"}:
            assert parameter.annotation == field.type, field.name
    task = Task(Path(ABSENT))
    for name in ("solver", "run_seconds", "run_instructions", "run_events"):
        assert parameters[name].default == getattr(task, name)


def test_explore_stays_a_function_whatever_is_imported() -> None:
    import cinquefoil.exploration.options as options

    assert inspect.isfunction(cinquefoil.explore)
    assert options.Options is cinquefoil.Options


def test_every_option_reaches_the_exploration(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each field is set to another value than its default, and arrives."""
    seen: list[Options] = []

    def kept(task: Any, options: Options, *rest: Any) -> None:
        seen.append(options)

    monkeypatch.setattr("cinquefoil.api._explored", kept)
    monkeypatch.setattr("cinquefoil.api.validate", lambda options: None)
    other: dict[str, Any] = {field.name: _other(field.default) for field in dataclasses.fields(Options)}
    other |= {"clock": "wall", "meld": "all", "until_covered": "blocks", "plugins": ("/p.py",), "inputs": (b"1",)}
    cinquefoil.explore(ABSENT, **other)
    assert dataclasses.asdict(seen[0]) == other


def _other(value: object) -> object:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    return {(): ("x",), None: 7, "": "x", "none": "x"}.get(value, ("x",) if isinstance(value, tuple) else value)  # type: ignore[call-overload]


def test_every_option_of_the_command_line_has_a_field() -> None:
    given = {option.name for option in run_command.params}
    known = {field.name for field in dataclasses.fields(Options)}
    assert {"layers", "mutators", "plugins", "search", "prune", "workers", "explore_output"} <= given & known


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"search": "dsf"}, "no search strategy 'dsf': did you mean 'dfs'"),
        ({"search": ("dfs", "sgs:x")}, "search strategy 'sgs:x': unusable parameters"),
        ({"prune": "homy"}, "no pruner 'homy': did you mean 'homi'"),
        ({"multiplex": "magic"}, "no multiplexing solver 'magic'"),
        ({"layers": "pears"}, "no solver layer 'pears'"),
        ({"layers": "cache"}, "'cache' is in the chain already"),
        ({"mutators": "insrt"}, "no mutator 'insrt': did you mean 'insert'"),
        ({"check": "everything"}, "no check 'everything'"),
        ({"no_check": "overflow"}, "no check 'overflow'"),
        ({"plugins": "gone.py"}, "gone.py: No such file"),
        ({"clock": "sun"}, "clock is 'sun': choose from wall, cpu"),
        ({"meld": "most"}, "meld is 'most'"),
        ({"until_covered": "lines"}, "until_covered is 'lines'"),
        ({"max_time": -1}, "max_time is -1: it must be at least 0"),
        ({"max_time": float("nan")}, "max_time is nan"),
        ({"max_paths": 0}, "max_paths is 0: it must be at least 1"),
        ({"max_errors": 1.5}, "max_errors is 1.5: it must be a whole number"),
        ({"max_memory": "2G"}, "max_memory is '2G': it must be a whole number"),
        ({"seed": -3}, "seed is -3"),
        ({"seed": None}, "seed is None"),
        ({"workers": 0}, "workers is 0: it must be at least 1"),
        ({"workers": 1000}, "there can be 1 to"),
        ({"workers": 2, "clock": "cpu"}, "only wall time"),
    ],
)
def test_what_makes_no_sense_is_refused_first(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        cinquefoil.explore(ABSENT, **options)


def test_a_single_name_is_no_tuple_of_letters() -> None:
    with pytest.raises(UserError, match="search is 'dfs': it must be a tuple"):
        Options(search="dfs")  # type: ignore[arg-type]


def test_public_names(tmp_path: Path) -> None:
    assert dir(cinquefoil) == sorted(cinquefoil.__all__)
    assert all(getattr(cinquefoil, name) is not None for name in cinquefoil.__all__)
    assert (Path(cinquefoil.__file__).parent / "py.typed").is_file()

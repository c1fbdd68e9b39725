"""Every attack of attacks.c, on both builds, as root and as an ordinary user, with and without namespaces."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from enclosed import Target, as_user, attack, left_behind, make_target, state

from cinquefoil.build.program import load_program
from cinquefoil.replay import gcc, process
from cinquefoil.replay.confinement import Confinement, offered
from cinquefoil.replay.native_build import build_native
from cinquefoil.replay.native_run import NativeRun
from cinquefoil.replay.process import ProcessLimits

SOURCE = Path(__file__).parent / "attacks.c"
ATTACKS = re.findall(r"ATTACK\((\w+)\)", SOURCE.read_text().split("#define ATTACK")[1].split("\n", 1)[1])
ONLY_IN_MEMORY = {"fill_disk", "fill_names"}  # the sum of what is written is not limited on the host's disk
LIMITS = ProcessLimits(seconds=20, memory=512 << 20, output_bytes=1 << 20)
SHORT = ProcessLimits(seconds=0.2, memory=512 << 20, output_bytes=1 << 20)
Runs = dict[tuple[str, bool], NativeRun]
Ways = tuple[bool, Confinement]

if shutil.which("gcc") is None:
    pytest.skip("gcc is not here", allow_module_level=True)


@pytest.fixture(scope="module")
def target() -> Iterator[Target]:
    with tempfile.TemporaryDirectory(prefix="cinq-attack-", dir="/var/tmp") as name:
        native = build_native(load_program(SOURCE)).executable
        with tempfile.TemporaryDirectory(prefix="cinq-gcc-") as built:
            hosted = gcc.build(SOURCE, Path(built), (), ())
            yield make_target(Path(name), native, hosted)


def ways() -> list[object]:
    users = [False, True] if os.geteuid() == 0 else [False]
    return [
        pytest.param((ordinary, how), id=f"{'ordinary' if ordinary else 'root'}-{how.value}")
        for ordinary in users
        for how in (Confinement.NAMESPACES, Confinement.LANDLOCK)
    ]


@pytest.fixture(scope="module", params=ways())
def way(request: pytest.FixtureRequest) -> Ways:
    return request.param


@pytest.fixture(scope="module")
def runs(target: Target, way: Ways) -> Runs:
    """All attacks one after another; the host is looked at before and after."""
    ordinary, how = way
    before = state(target)

    def all_attacks() -> Runs | str:
        if problem := getattr(offered(), how.value):
            return problem
        process._GRACE = 0.1  # in this child only: nobody here ends when asked to
        inside = state(target)
        found = {
            (name, hosted): attack(target, name, hosted, how, SHORT if name == "never_end" else LIMITS)
            for name in ATTACKS
            if how is Confinement.NAMESPACES or name not in ONLY_IN_MEMORY
            for hosted in (False, True)
        }
        assert state(target) == inside
        return found

    found = as_user(ordinary, target.folder.parent, all_attacks)
    if isinstance(found, str):
        pytest.skip(f"{'an ordinary user' if ordinary else 'this user'} has no {how.value} here: {found}")
    assert state(target) == before
    return found


def test_nothing_is_left_behind(runs: Runs) -> None:
    assert left_behind() == []


@pytest.mark.parametrize("hosted", [False, True], ids=["musl", "gcc"])
@pytest.mark.parametrize("name", [name for name in ATTACKS if name not in ("never_end", "close_all", "crash", "flood")])
def test_the_boundary_holds(runs: Runs, way: Ways, name: str, hosted: bool) -> None:
    if (name, hosted) not in runs:
        assert name in ONLY_IN_MEMORY and way[1] is Confinement.LANDLOCK
        return
    run = runs[name, hosted]
    assert run.output == b"held\n", run.output.decode()
    assert name == "spoil_report" or (run.end, run.status) == ("exit", 0)


@pytest.mark.parametrize("hosted", [False, True], ids=["musl", "gcc"])
def test_a_program_that_does_not_want_to_end_is_ended(runs: Runs, hosted: bool) -> None:
    assert runs["never_end", hosted].end == "time"


@pytest.mark.parametrize("hosted", [False, True], ids=["musl", "gcc"])
def test_ends_are_told_as_they_are(runs: Runs, hosted: bool) -> None:
    assert (runs["close_all", hosted].end, runs["close_all", hosted].status) == ("exit", 3)
    assert (runs["crash", hosted].end, runs["crash", hosted].status) == ("signal", -6)
    assert len(runs["flood", hosted].output) == LIMITS.output_bytes


@pytest.mark.parametrize("hosted", [False, True], ids=["musl", "gcc"])
@pytest.mark.parametrize("name", ["write_outside", "make_outside", "read_outside", "change_owners", "talk"])
def test_the_attacks_are_real(tmp_path: Path, target: Target, name: str, hosted: bool) -> None:
    """Outside the enclosure, on a folder of their own, they find the boundary open."""
    copy = Target(tmp_path / "target", target.native, target.hosted)
    shutil.copytree(target.folder, copy.folder)
    assert b"open: " in attack(copy, name, hosted, Confinement.NONE, LIMITS).output

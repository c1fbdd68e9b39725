"""Pruners at work: nothing claimed that is not so, no error lost, the same seed the same tests."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import cinquefoil
from cinquefoil.cli.explore_view import progress_line
from cinquefoil.errors import UserError
from cinquefoil.exploration import Exploration, Options, Outcome
from cinquefoil.exploration.pruning.reserve import least_tried
from cinquefoil.prune.api import Beginning, Due, Pending, Pruner, Setting
from cinquefoil.prune.registry import make, names, register_pruner
from cinquefoil.testing.toymachine import PROGRAMS, BruteForce, ToyMachine

PRUNING = Path(__file__).parents[2] / "benchmarks" / "pruning"
MAZE, VAULT = PRUNING / "maze.c", PRUNING / "vault.c"

EXPLOSION = r"""
#include <klee/klee.h>
int main(void) {
    char b[12];
    klee_make_symbolic(b, sizeof b, "b");
    int n = 0, table[8] = {0};
    for (int i = 0; i < 12; i++) {
        if (b[i] == 'a') n++;
        else if (b[i] == 'b') n += 2;
        else if (b[i] > 'm') n += 3;
    }
    return table[n & 7 ? 0 : b[0] & 15];
}
"""


@register_pruner("harsh")
class Harsh(Pruner):
    """Forgets every state but one at every step, and restarts at every tenth."""

    def __init__(self, setting: Setting) -> None:
        self.steps = 0
        self.rest = 0  # rounds in which nothing is pruned

    def due(self, clock: float) -> Due:
        self.steps += 1
        if self.rest:
            return Due.NOTHING
        return Due.RESTART if self.steps % 10 == 0 else Due.PRUNE

    def choose(self, pending: Pending, clock: float) -> np.ndarray:
        return np.arange(len(pending)) > 0

    def restart(self, clock: float, dry: bool) -> Beginning:
        self.rest = int(dry)
        return Beginning()


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_claimed_after_pruning_is_true(name: str) -> None:
    """A round that prunes nothing comes after one that ran dry; until it is done, nothing is claimed."""
    program, length = PROGRAMS[name]
    machine = ToyMachine(program, length)
    outcome = Exploration(machine, BruteForce(machine), Options(prune="harsh", every_path=True)).run()
    assert outcome.exhausted
    tests = [test for test in outcome.tests if test.why != "assumed"]
    assert outcome.statistics.paths == len(machine.truth) == len(tests)


def test_pruned_is_not_exhausted() -> None:
    machine = ToyMachine(*PROGRAMS["loops"])
    exploration = Exploration(machine, BruteForce(machine), Options(prune="harsh"))
    exploration.start()
    exploration.step()
    assert exploration.pruning is not None
    exploration.pruning.after_step()
    assert exploration.statistics.pruned > 0
    while exploration.frontier:
        exploration.step()
    assert exploration.stop_reason() is None, "something was forgotten"


@pytest.fixture(scope="module")
def explosion(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = tmp_path_factory.mktemp("explosion") / "explosion.c"
    source.write_text(EXPLOSION)
    return source


def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounds of a few paths, so that much happens soon."""
    from cinquefoil.prune import rounds
    from cinquefoil.prune.spaces import Settings

    brief = Settings(interval=0.004, longest=0.04, least=16, exploring=2)
    monkeypatch.setattr(rounds.Settings, "scaled", lambda self, max_time: brief)


def inputs(outcome: Outcome) -> list[bytes]:
    return [test.witness for test in outcome.tests]


@pytest.mark.parametrize("prune", ["homi", "homi:paper", "random", "restart"])
def test_the_same_seed_gives_the_same_tests(explosion: Path, monkeypatch: pytest.MonkeyPatch, prune: str) -> None:
    short(monkeypatch)
    first, again = (
        cinquefoil.explore(explosion, search="random-state", prune=prune, max_paths=600, every_path=True, seed=3)
        for _ in range(2)
    )
    assert inputs(first) == inputs(again)
    assert first.pruning == again.pruning
    assert first.statistics.restarts > 1
    assert (first.statistics.pruned > 0) == (prune != "restart")


def test_the_summary_tells_what_was_decided(explosion: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    short(monkeypatch)
    outcome = cinquefoil.explore(explosion, search="random-state", prune="homi", max_paths=600, output=tmp_path)
    assert outcome.pruning is not None
    rounds = outcome.pruning["rounds"]
    assert isinstance(rounds, list)
    assert rounds[0]["method"] == "main"
    pruned = [each for each in rounds if each["dropped"]]
    assert pruned
    assert any("b[" in feature and "==" in feature for each in pruned for feature in each["weights"])
    assert all(0.19 < each["ratio"] < 0.61 for each in pruned)
    header = (tmp_path / "stats.csv").read_text().splitlines()[0].split(",")
    told = {"pruned", "round", "features", "ratio", "heaviest", "lightest", "round_pruned", "round_won", "aside"}
    assert told <= set(header)
    assert all(each["seconds"] > 0 for each in rounds), "the last one too"
    assert not outcome.exhausted


def test_several_workers_prune_by_the_same_conditions(explosion: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other processes' runs are read here: their expressions are not this process's."""
    short(monkeypatch)
    outcome = cinquefoil.explore(explosion, search="random-state", prune="homi", max_paths=1500, workers=2)
    assert outcome.statistics.pruned > 0
    assert outcome.pruning is not None
    rounds = outcome.pruning["rounds"]
    assert isinstance(rounds, list)
    features = {feature for each in rounds for feature in each["weights"]}
    assert any(re.fullmatch(r"b\[\d+\] == '[ab]'", feature) for feature in features)


def test_error_states_are_never_lost(explosion: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The overflow is one state among thousands that a harsh pruner forgets."""
    outcome = cinquefoil.explore(explosion, search="bfs", prune="harsh", max_errors=1, max_paths=4000)
    assert [error.kind for error in outcome.errors] == ["out-of-bounds"]


def test_homi_opens_the_door_that_search_does_not_find(monkeypatch: pytest.MonkeyPatch) -> None:
    short(monkeypatch)
    found = cinquefoil.explore(MAZE, search="random-state", prune="homi", max_paths=2000, max_errors=1)
    assert found.errors
    plain = cinquefoil.explore(MAZE, search="random-state", max_paths=found.statistics.paths + 500, max_errors=1)
    assert not plain.errors


def test_homi_reaches_the_vault_that_search_does_not_find(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Six doors and a few thousand paths, twice as many for search alone; the slow test has all doors."""
    short(monkeypatch)
    few = tmp_path / "vault.c"
    few.write_text(re.sub(r"    DOOR\([78].*\n", "", VAULT.read_text()))
    for seed in range(2):
        found = cinquefoil.explore(few, search="random-state", prune="homi", max_paths=8000, max_errors=1, seed=seed)
        assert found.errors
        twice = 2 * found.statistics.paths
        plain = cinquefoil.explore(few, search="random-state", max_paths=twice, max_errors=1, seed=seed)
        assert not plain.errors


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_homi_reaches_the_vault_in_a_time_in_which_search_does_not(seed: int) -> None:
    """By processor time; as much for search alone, with the search that Homi works on and with random paths."""
    found = cinquefoil.explore(
        VAULT, search="random-state", prune="homi", max_time=10, max_errors=1, seed=seed, clock="cpu"
    )
    assert found.errors
    for search in ("random-state", "random-path"):
        plain = cinquefoil.explore(VAULT, search=search, max_time=10, max_errors=1, seed=seed, clock="cpu")
        assert not plain.errors, search


@pytest.mark.parametrize(
    ("name", "message"), [("hom", "did you mean 'homi'"), ("zzz", "known are .*homi, none"), ("homi:fast", "unusable")]
)
def test_unknown_pruners_are_refused(name: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        make(name, Setting())


def test_names() -> None:
    assert names()[0] == "none"
    assert {"homi", "random", "restart"} <= set(names())
    assert make("none", Setting()) is None


def test_while_few_states_are_pending_nothing_happens() -> None:
    """A program that does not explode is explored as without pruning."""
    machine = ToyMachine(*PROGRAMS["loops"])
    pruned = Exploration(machine, BruteForce(machine), Options(prune="homi", max_time=1e-9 + 30, every_path=True)).run()
    machine = ToyMachine(*PROGRAMS["loops"])
    plain = Exploration(machine, BruteForce(machine), Options(every_path=True)).run()
    assert inputs(pruned) == inputs(plain)
    assert pruned.exhausted
    assert pruned.pruning is not None
    rounds = pruned.pruning["rounds"]
    assert isinstance(rounds, list) and len(rounds) == 1


DOORS = r"""
#include <klee/klee.h>
int main(void) {
    char b[4];
    klee_make_symbolic(b, sizeof b, "b");
    int n = 0;
    if (b[0] == 'x') n += 1;
    if (b[1] == 'y') n += 2;
    if (b[2] == 'z') n += 4;
    return n;
}
"""


@register_pruner("all")
class DropAll(Pruner):
    """Forgets everything at once, and never begins again."""

    def __init__(self, setting: Setting) -> None:
        self.done = False

    def due(self, clock: float) -> Due:
        self.done, before = True, self.done
        return Due.NOTHING if before else Due.PRUNE

    def choose(self, pending: Pending, clock: float) -> np.ndarray:
        return np.ones(len(pending), np.bool_)


def test_what_is_forgotten_leaves_a_test_if_it_is_worth_one(tmp_path: Path) -> None:
    """All three states would enter a block that nothing entered: they are forgotten, and their tests are made."""
    source = tmp_path / "doors.c"
    source.write_text(DOORS)
    outcome = cinquefoil.explore(source, search="bfs", prune="all", max_paths=4)
    assert outcome.statistics.pruned >= 2
    assert all(any(each[at] == ord(letter) for each in inputs(outcome)) for at, letter in enumerate("xyz"))


def test_the_live_view_tells_the_round() -> None:
    machine = ToyMachine(*PROGRAMS["loops"])
    exploration = Exploration(machine, BruteForce(machine), Options(prune="homi"))
    exploration.start()
    assert re.search(r"round 1 \(main\): 0 pruned, \d+ branches won", progress_line(exploration, None))


def test_the_least_tried_directions_come_first() -> None:
    wanted = [(1, 0), (2, 0), (1, 0), (3, 1)]
    assert least_tried(wanted, Counter({(1, 0): 2}), 2) == [1, 3]
    assert least_tried(wanted, Counter(), 9) == [0, 1, 3]

"""Exploring with several processes: the same paths whatever happens to them, and the same tests every time."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

import cinquefoil
from cinquefoil.build.program import load_program
from cinquefoil.errors import EngineError, UserError
from cinquefoil.exploration import Exploration, Options, Outcome
from cinquefoil.exploration.parallel import ParallelExploration, balance, leader, pool
from cinquefoil.exploration.parallel.messages import Orders
from cinquefoil.exploration.solving.worker_solver import WorkerSolver
from cinquefoil.machine.image import Image, build_image
from cinquefoil.machine.resident import own_bytes
from cinquefoil.machine.run import Run
from cinquefoil.machine.worker import Limits, Worker

HERE = Path(__file__).parent.parent / "programs"
TRUTH = sorted((HERE / "truth").glob("*.c"))
ORDER = HERE / "parallel" / "order.c"
LOOPS = HERE / "truth" / "loops.c"
WIDE = HERE / "parallel" / "wide.c"
WIDER = HERE / "parallel" / "wider.c"
Path_ = tuple[bytes, str, str]
USUAL = {"workers": 2, "every_path": True, "max_time": 600, "multiplex": ()}


@cache
def image_of(program: Path) -> Image:
    return build_image(load_program(program), blocks=True)


def path_of(run: Run) -> Path_:
    return run.trace.tobytes(), run.end, run.error.kind if run.error else ""


def paths_of(worker: Worker, outcome: Outcome) -> set[Path_]:
    return {path_of(worker.run(test.witness)) for test in outcome.tests}


@cache
def sequential(program: Path) -> tuple[int, set[Path_]]:
    """What one process finds: tests/exploration/test_truth.py compares that with brute force."""
    with Worker(image_of(program)) as worker:
        solver = WorkerSolver(worker)
        outcome = Exploration(worker, solver, Options(search=("bfs",), every_path=True), image_of(program).graph).run()
        solver.close()
        assert outcome.exhausted
        return outcome.statistics.paths, paths_of(worker, outcome)


@contextmanager
def exploring(program: Path, limits: Limits | None = None, **options: object) -> Generator[ParallelExploration]:
    """With two processes from the start, keeping every path; no inputs but those of states, unless asked for."""
    image = image_of(program)
    silence, by_itself = float(str(options.pop("silence", 60.0))), float(str(options.pop("by_itself", 0.0)))
    settings = Options(**{**USUAL, **options})  # pyright: ignore
    with Worker(image, None, limits) as worker:
        solver = WorkerSolver(worker, seed=settings.seed, multiplex=settings.multiplex)
        exploration = ParallelExploration(
            worker, solver, "bitwuzla", settings, image.graph, silence=silence, by_itself=by_itself
        )
        try:
            yield exploration
        finally:
            exploration.close()
            solver.close()


def without_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    """However small a program is, there are several processes."""
    monkeypatch.setattr(leader, "BY_ITSELF", 0.0)


def shared(exploration: ParallelExploration) -> int:
    """How many paths other processes than the first one found."""
    return exploration.total.paths - exploration.statistics.paths


@pytest.fixture(autouse=True)
def short_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small programs are divided, too."""
    monkeypatch.setattr(leader, "_STARTING", 0.0015)
    monkeypatch.setattr(balance, "SHORTEST", 0.0012)


# ---- as good as one process ----


@pytest.mark.parametrize("program", [*TRUTH, ORDER], ids=lambda p: p.stem)
def test_the_same_paths_as_one_process(program: Path) -> None:
    count, paths = sequential(program)
    with exploring(program, search=("bfs",)) as exploration:
        outcome = exploration.run()
        assert outcome.exhausted
        assert (outcome.statistics.diverged, outcome.statistics.replaced) == (0, 0)
        assert outcome.statistics.paths == count
        assert paths_of(exploration.worker, outcome) == paths
        assert outcome.pending == outcome.unknown == 0


@pytest.mark.parametrize("strategy", ["dfs", "random-path", "nurs:covnew", "nurs:md2u", "nurs:cpicnt", "sgs", "empc"])
def test_every_way_of_searching(strategy: str) -> None:
    with exploring(LOOPS, search=(strategy,), workers=3) as exploration:
        outcome = exploration.run()
        assert outcome.exhausted
        assert outcome.statistics.paths == sequential(LOOPS)[0]
        assert paths_of(exploration.worker, outcome) == sequential(LOOPS)[1]
        assert shared(exploration) > 0


@pytest.mark.parametrize("options", [{"mutations": True}, {"multiplex": ("sweep", "descent")}, {}], ids=str)
def test_inputs_that_no_state_asked_for(options: dict[str, object]) -> None:
    """They may lie on paths of another process, which must not be explored twice."""
    count, paths = sequential(WIDE)
    with exploring(WIDE, inputs=tuple(bytes([n] * 10) for n in range(0, 250, 10)), **options) as exploration:
        outcome = exploration.run()
        assert outcome.exhausted
        assert outcome.statistics.paths == count == len(outcome.tests)
        assert paths_of(exploration.worker, outcome) == paths
        assert shared(exploration) > 0


@pytest.mark.parametrize("pruner", ["homi", "restart"])
def test_pruners_explore_for_themselves(pruner: str) -> None:
    with exploring(LOOPS, prune=pruner, every_path=False) as exploration:
        outcome = exploration.run()
        assert outcome.exhausted
        assert outcome.statistics.paths == sequential(LOOPS)[0]
        assert exploration.pool is not None


HARD = """
#include <klee/klee.h>
int main(void) {
    unsigned short x[5], y;
    int met = 0;
    klee_make_symbolic(x, sizeof x, "x");
    klee_make_symbolic(&y, sizeof y, "y");
    for (int i = 0; i < 5; i++) if ((unsigned short)(x[i] * y * 31) == 4711 + 2 * i) met++;
    return met;
}
"""


def test_questions_for_smt(tmp_path: Path) -> None:
    (tmp_path / "hard.c").write_text(HARD)
    count, paths = sequential(tmp_path / "hard.c")
    with exploring(tmp_path / "hard.c", seed=3) as exploration:
        outcome = exploration.run()
        assert exploration.layers()["smt"].queries > 0
        assert outcome.statistics.replaced == 0
        assert (outcome.exhausted, outcome.statistics.paths) == (True, count)
        assert paths_of(exploration.worker, outcome) == paths
        assert shared(exploration) > 0


def test_questions_that_are_dear_for_smt(tmp_path: Path) -> None:
    """Those of the benchmark, which take nearly all time."""
    text = (HERE.parents[1] / "benchmarks" / "workers" / "arithmetic.c").read_text()
    (tmp_path / "dear.c").write_text("#define SIZE 6\n" + text)
    count, _ = sequential(tmp_path / "dear.c")
    with exploring(tmp_path / "dear.c", search=("bfs",), solver_seconds=20.0) as exploration:
        outcome = exploration.run()
        assert exploration.layers()["smt"].queries >= count - 1 == 63
        assert outcome.statistics.replaced == 0
        assert (outcome.exhausted, outcome.statistics.paths) == (True, count)
        assert shared(exploration) > 0


def test_statistics_of_all_processes_are_added() -> None:
    with exploring(LOOPS) as exploration:
        counts = exploration.run().statistics
        layers = exploration.layers()
        assert 0 < shared(exploration) < counts.paths
    assert layers["slice"].queries == counts.queries == counts.sat + counts.unsat > 0
    assert layers["check"].sat >= counts.sat
    assert counts.runs >= counts.paths
    assert counts.phases["solver"].seconds > 0
    assert counts.phases["native"].seconds > 0


# ---- named inputs in another order on every path ----


def weight(value: int, factor: int) -> int:
    if value == 17 * factor:
        return factor
    return 2 * factor if value > 200 else 0


def model(objects: dict[str, bytes]) -> int:
    """What order.c returns."""
    value = {name: int.from_bytes(content, "little") for name, content in objects.items()}
    x = value.get("x", 0) ^ value.get("x_1", 0) ^ value.get("x_2", 0)
    pair = 27 if value.get("pair") == 0x1234 else 0
    return weight(x, 1) + weight(value.get("y", 0), 3) + weight(value.get("z", 0), 9) + pair


@pytest.mark.parametrize("strategy", ["bfs", "dfs", "random-path"])
def test_inputs_keep_their_names(strategy: str) -> None:
    with exploring(ORDER, search=(strategy,), workers=3) as exploration:
        outcome = exploration.run()
        for test in outcome.tests:
            assert exploration.machine.run(test.witness).code == model(dict(test.objects)) & 0xFF
    kinds = {dict(test.objects)["kind"][0] for test in outcome.tests}
    assert {1, 2, 3, 4} <= kinds
    assert {name for test in outcome.tests for name, _ in test.objects} == {"kind", *"xyz", "pair", "x_1", "x_2"}


# ---- determinism ----


def kept_by(program: Path, seed: int) -> list[object]:
    with exploring(program, seed=seed, search=("random-path", "nurs:covnew")) as exploration:
        return [(test.number, test.why, test.objects) for test in exploration.run().tests]


@pytest.mark.parametrize("program", [ORDER, LOOPS, WIDE], ids=lambda p: p.stem)
def test_same_seed_same_tests(program: Path) -> None:
    first = kept_by(program, 7)
    assert first == kept_by(program, 7)
    assert first != kept_by(program, 8)


# ---- limits ----


@pytest.mark.parametrize("most", [5, 60, 500])
def test_not_one_path_too_many(most: int) -> None:
    with exploring(WIDE, max_paths=most, search=("random-path",), every_path=False) as exploration:
        outcome = exploration.run()
        assert outcome.reason == "max-paths"
        assert outcome.statistics.paths == most
        assert outcome.pending > 0


def test_a_limit_of_tests() -> None:
    with exploring(WIDE, max_tests=40) as exploration:
        outcome = exploration.run()
        assert (outcome.reason, len(outcome.tests)) == ("max-tests", 40)


def test_a_limit_of_time() -> None:
    with exploring(WIDER, max_time=1.5, every_path=False) as exploration:
        outcome = exploration.run()
        assert outcome.reason == "max-time"
        assert outcome.seconds < 300


def test_a_limit_of_memory() -> None:
    most = own_bytes() + (300 << 20)
    with exploring(WIDER, max_time=600, max_memory=most, every_path=False) as exploration:
        outcome = exploration.run()
        assert exploration.pool is not None
        assert outcome.reason == "max-memory"
        for exploration._steps in range(3):  # pyright: ignore[reportPrivateUsage]
            assert exploration._memory() > most // 2  # pyright: ignore[reportPrivateUsage]


# ---- accidents ----


def killing(exploration: ParallelExploration, when: set[int], number: int = 1) -> Callable[[], None]:
    """What to do at every step: after so many, one of the other processes dies."""
    tick, steps = exploration.tick, 0

    def do() -> None:
        nonlocal steps
        steps += 1
        if steps in when and exploration.pool is not None:
            process = exploration.pool.processes[number]
            while not process.reported and process.alive and exploration._is_due(number):  # pyright: ignore
                exploration._pump(0.1)  # pyright: ignore[reportPrivateUsage]
            os.kill(exploration.pool.processes[number].pid, signal.SIGKILL)
        tick()

    return do


@pytest.mark.parametrize("strategy", ["bfs", "dfs", "random-path"])
@pytest.mark.parametrize("workers", [2, 3])
def test_no_path_is_lost_with_a_process(strategy: str, workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    count, paths = sequential(WIDE)
    monkeypatch.setattr(leader, "_DEATHS", 9)
    with exploring(WIDE, search=(strategy,), workers=workers) as exploration:
        exploration.tick = killing(exploration, {50, 100, 150})
        outcome = exploration.run()
        assert 1 <= outcome.statistics.replaced <= 3
        assert outcome.exhausted
        assert outcome.statistics.paths == count
        assert paths_of(exploration.worker, outcome) == paths
        assert len(outcome.tests) == count


COPYING = """
from cinquefoil.exploration.parallel import explorer
explorer._BASE_EVERY = explorer._BASE_SHARE = 0.0
from cinquefoil.exploration.parallel.explorer_process import main
main()
"""


@pytest.mark.parametrize("strategy", ["bfs", "dfs", "random-path"])
@pytest.mark.parametrize("start", [COPYING, None], ids=["copies", "none"])
def test_no_path_is_done_twice_after_a_copy(strategy: str, start: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes report, with every round, a copy of all that is left to them: a successor goes on from there."""
    if start is not None:
        monkeypatch.setattr(pool, "_START", start)
    monkeypatch.setattr(leader, "_DEATHS", 9)
    with exploring(WIDE, search=(strategy,), workers=3) as exploration:
        exploration.tick = killing(exploration, {60, 120, 180})
        outcome = exploration.run()
        assert outcome.statistics.replaced >= 1
        assert exploration.pool is not None
        kept = sum(len(ledger.kept) for ledger in exploration.pool.ledgers.values())
        assert (kept > 0) == (start is not None)
        assert outcome.exhausted
        assert outcome.statistics.paths == len(outcome.tests) == sequential(WIDE)[0]
        assert paths_of(exploration.worker, outcome) == sequential(WIDE)[1]


def test_what_a_dead_process_gave_away_is_known_to_all() -> None:
    """Else whoever is given what its successor took over would explore that once more."""
    with exploring(WIDE) as exploration:
        exploration._news = {(1, 0), (2, 1)}  # pyright: ignore[reportPrivateUsage]
        reports = [exploration.report(1), exploration.report(1)]
        for number in (0, 1):
            bundle = exploration._bundle(1, number, reports, Orders())  # pyright: ignore[reportPrivateUsage]
            assert bundle.foreign == {(1, 0), (2, 1)}
            exploration.apply(bundle)
        assert exploration.foreign == {(1, 0), (2, 1)}


NONSENSE = """
import os
from cinquefoil.exploration.parallel import explorer_process as process
send, sent = process.Link.send, []
def spoil(link, message):
    sent.append(1)
    if len(sent) == 6 and not os.path.exists({marker!r}):
        open({marker!r}, "w").close()
        link._link.sendall({data!r})
    send(link, message)
process.Link.send = spoil
process.main()
"""


@pytest.mark.parametrize("data", [b"\xff" * 16, b"\5" + bytes(7) + b"nonsense"], ids=["length", "pickle"])
def test_a_process_that_talks_nonsense_is_replaced(
    data: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = NONSENSE.format(marker=str(tmp_path / "spoilt"), data=data)
    monkeypatch.setattr(pool, "_START", script)
    with exploring(WIDE, search=("bfs",)) as exploration:
        outcome = exploration.run()
        assert (tmp_path / "spoilt").exists()
        assert outcome.statistics.replaced == 1
        assert (outcome.exhausted, outcome.statistics.paths) == (True, sequential(WIDE)[0])
        assert paths_of(exploration.worker, outcome) == sequential(WIDE)[1]


def test_processes_that_keep_failing_are_an_error_of_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each gets to its first report, so none counts as one that does not start."""
    script = "from cinquefoil.exploration.parallel import explorer_process as it; del it.Explorer.apply; it.main()"
    monkeypatch.setattr(pool, "_START", script)
    monkeypatch.setattr(leader, "_REPLACED", 4)
    with exploring(WIDER) as exploration, pytest.raises(EngineError, match=r"keep ending: .*apply"):
        exploration.run()
    assert exploration.statistics.replaced == 5


def test_a_silent_process_is_replaced() -> None:
    limits = Limits(seconds=2.0)
    with exploring(WIDE, limits, silence=4.0, solver_seconds=0.1) as exploration:
        tick, stopped = exploration.tick, False

        def stop() -> None:
            nonlocal stopped
            if exploration.pool is not None and exploration.pool.processes[1].reported and not stopped:
                stopped = True
                os.kill(exploration.pool.processes[1].pid, signal.SIGSTOP)
            tick()

        exploration.tick = stop
        outcome = exploration.run()
        assert outcome.statistics.replaced >= 1
        assert outcome.exhausted
        assert outcome.statistics.paths == sequential(WIDE)[0]


# ---- as users call it ----

SCRIPT = """
import sys
from cinquefoil import explore
outcome = explore(sys.argv[1], workers=2, every_path=True)
print(outcome.exhausted, outcome.statistics.paths)
"""


def test_melded_programs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    without_beginning(monkeypatch)
    for workers in (1, 2):
        outcome = cinquefoil.explore(WIDE, output=tmp_path / str(workers), meld="all", workers=workers)
        assert outcome.exhausted
        assert [(error.kind, error.line) for error in outcome.errors] == [("assertion", 13)]
    figures = [json.loads((tmp_path / name / "summary.json").read_text()) for name in ("1", "2")]
    assert figures[0]["paths"] == figures[1]["paths"]
    assert figures[0]["coverage"] == figures[1]["coverage"]


def test_a_script_without_a_main_guard(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    environment = {**os.environ, "PYTHONPATH": str(Path(cinquefoil.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, str(script), str(LOOPS)], capture_output=True, text=True, timeout=600, env=environment
    )
    assert done.stdout.split() == ["True", str(sequential(LOOPS)[0])], done.stderr


ENDLESS = """
#include <klee/klee.h>
int main(void) {
    unsigned char data[64];
    int sum = 0;
    klee_make_symbolic(data, sizeof data, "data");
    for (int i = 0; i < 64; i++) if (data[i] > 100) sum++;
    return sum;
}
"""


def children_of(pid: int) -> list[int]:
    file = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(word) for word in file.read_text().split()] if file.exists() else []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_all_processes(number: signal.Signals, tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text(ENDLESS)
    words = ["run", "--workers", "2", "-o", str(tmp_path / "out"), str(tmp_path / "p.c")]
    program = "import sys; from cinquefoil.cli.main import run; sys.exit(run(sys.argv[1:]))"
    process = subprocess.Popen([sys.executable, "-c", program, *words], stdout=subprocess.DEVNULL)
    tests = tmp_path / "out" / "tests"
    deadline = time.monotonic() + 300
    started: list[int] = []
    while (len(started) < 3 or not list(tests.glob("*.ktest"))) and time.monotonic() < deadline:
        time.sleep(0.05)
        children = children_of(process.pid)
        started = [*children, *(each for child in children for each in children_of(child))]
    assert len(started) == 3  # two native workers, and another explorer
    process.send_signal(number)
    assert process.wait(300) == 130
    assert (tmp_path / "out" / "summary.json").exists()
    deadline = time.monotonic() + 300
    while (left := [pid for pid in started if Path(f"/proc/{pid}").exists()]) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not left


def test_a_number_of_workers_that_cannot_be() -> None:
    with pytest.raises(UserError, match="workers is 0"):
        cinquefoil.explore(LOOPS, workers=0)


def test_processes_that_do_not_start_are_an_error_of_the_engine(tmp_path: Path) -> None:
    image = Image(tmp_path / "gone", image_of(LOOPS).sites, image_of(LOOPS).graph, {})
    with Worker(image_of(LOOPS)) as worker:
        worker.image = image
        exploration = ParallelExploration(worker, WorkerSolver(worker), "bitwuzla", Options(workers=2), by_itself=0.0)
        with pytest.raises(EngineError, match=r"do not start.*gone"):
            exploration.run()

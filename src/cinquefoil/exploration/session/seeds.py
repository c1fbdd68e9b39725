"""Inputs to start from: tests of KLEE or of ours, and raw files such as a fuzzer's corpus.

A .ktest file gives objects by name.  A raw file is one stream of bytes: it becomes standard input and the content of
every symbolic file; if the program has neither, its objects take their bytes from it one after another, in the order
they are made.  What is longer than the program's symbolic input is cut, what is missing is zero.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cinquefoil.errors import TestFileError, UserError
from cinquefoil.machine.environment import Environment, SymbolicFile
from cinquefoil.machine.witness import Runs, run_with
from cinquefoil.testcase.ktest import KTest

LARGEST: Final = 1 << 20  # bytes of a raw file
_ROUNDS: Final = 16  # in which objects may appear that depend on earlier ones


@dataclass(frozen=True, slots=True)
class Seeds:
    """`notes` say which files were left out, and why."""

    tests: tuple[KTest, ...] = ()
    raw: tuple[bytes, ...] = ()
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.tests) + len(self.raw)


def read_seeds(given: Iterable[Path]) -> Seeds:
    """Files and folders, with all that is in them; of an output folder, its tests.  `UserError` if none is usable."""
    tests: list[KTest] = []
    raw: list[bytes] = []
    notes: list[str] = []
    for path in (path for each in given for path in _files(each)):
        found = _read(path)
        if isinstance(found, KTest):
            tests.append(found)
        elif isinstance(found, bytes):
            raw.append(found)
        else:
            notes.append(found)
    if not tests and not raw:
        raise UserError(f"no seed can be used: {notes[0]}" if notes else "the seeds' folder is empty")
    return Seeds(tuple(tests), tuple(raw), tuple(notes))


def _files(given: Path) -> Iterator[Path]:
    if given.is_file():
        yield given
    elif not given.is_dir():
        raise UserError(f"{given}: no such file or folder for seeds")
    elif (given / "tests").is_dir() and (given / "stats.csv").is_file():
        yield from sorted((given / "tests").glob("*.ktest"))
    else:
        found = (path for path in given.rglob("*") if path.is_file())
        yield from sorted(path for path in found if not any(p.startswith(".") for p in path.relative_to(given).parts))


def _read(path: Path) -> KTest | bytes | str:
    try:
        if path.suffix == ".ktest":
            return KTest.read(path)
        size = path.stat().st_size
        return path.read_bytes() if size <= LARGEST else f"{path}: {size} bytes are too many, at most {LARGEST}"
    except TestFileError as error:
        return str(error)
    except OSError as error:
        return f"{path}: {error.strerror}"


def witnesses(worker: Runs, environment: Environment, seeds: Seeds) -> tuple[bytes, ...]:
    """The seeds as this worker's inputs, each once."""
    found = [run_with(worker, test.contents()).witness for test in seeds.tests]
    found += [_raw(worker, environment, content) for content in seeds.raw]
    return tuple(dict.fromkeys(found))


def _raw(worker: Runs, environment: Environment, content: bytes) -> bytes:
    named = {f"{file.name}-data": content for file in environment.files if isinstance(file, SymbolicFile)}
    if isinstance(environment.stdin, int):
        named["stdin"] = content
    return run_with(worker, named).witness if named else _in_turn(worker, content)


def _in_turn(worker: Runs, content: bytes) -> bytes:
    """Objects take their share in the order they are made, which may depend on what the first ones hold."""
    run = worker.run(b"")
    for _ in range(_ROUNDS):
        shares = _shares([(item.name, item.size) for item in run.objects], content)
        again = run_with(worker, shares)
        if [item.name for item in again.objects] == [item.name for item in run.objects]:
            return again.witness
        run = again
    return run.witness


def _shares(objects: Sequence[tuple[str, int]], content: bytes) -> dict[str, bytes]:
    shares: dict[str, bytes] = {}
    at = 0
    for name, size in objects:
        shares[name] = content[at : at + size]
        at += size
    return shares

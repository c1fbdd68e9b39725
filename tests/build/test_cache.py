"""The cache makes each thing once, never shows half a file, and can be wiped."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from cinquefoil.build import cache
from cinquefoil.errors import UserError


@pytest.fixture(autouse=True)
def private_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CINQUEFOIL_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def _slow_maker(log: str, queue: multiprocessing.Queue[str]) -> None:
    def make(output: Path) -> None:
        with Path(log).open("a") as handle:
            handle.write("made\n")
        output.write_text("half")
        time.sleep(0.3)
        output.write_text("the whole content")

    queue.put(cache.get_or_make("kind", ["same", "key"], ".txt", make).read_text())


def test_concurrent_processes_make_an_entry_once(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    queue: multiprocessing.Queue[str] = context.Queue()
    log = tmp_path / "log"
    workers = [context.Process(target=_slow_maker, args=(str(log), queue)) for _ in range(4)]
    for worker in workers:
        worker.start()
    results = [queue.get(timeout=300) for _ in workers]
    for worker in workers:
        worker.join()
    assert results == ["the whole content"] * 4
    assert log.read_text() == "made\n"


def test_failed_making_leaves_nothing_behind(private_cache: Path) -> None:
    def fail(output: Path) -> None:
        output.write_text("half")
        raise RuntimeError("no")

    with pytest.raises(RuntimeError):
        cache.get_or_make("kind", ["k"], ".txt", fail)
    left = [path for path in private_cache.rglob("*") if path.is_file() and path.suffix != ".lock"]
    assert left == []
    assert cache.get_or_make("kind", ["k"], ".txt", lambda output: _write(output, "good")).read_text() == "good"


def test_what_a_killed_process_left_goes_when_the_entry_is_made(private_cache: Path) -> None:
    child = os.fork()
    if child == 0:
        cache.get_or_make("kind", ["k"], ".txt", lambda _: os.kill(os.getpid(), signal.SIGKILL))
    os.waitpid(child, 0)
    assert len(list(private_cache.rglob(".making-*"))) == 1
    cache.get_or_make("kind", ["k"], ".txt", lambda output: _write(output, "good"))
    assert list(private_cache.rglob(".making-*")) == []


def test_keys_differ_by_content_and_by_boundaries(tmp_path: Path) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    first.write_text("one")
    second.write_text("two")
    assert cache.key_of([first]) != cache.key_of([second])
    assert cache.key_of(["ab", "c"]) != cache.key_of(["a", "bc"])
    assert cache.key_of(["one"]) == cache.key_of([first])


def test_size_and_clear(private_cache: Path) -> None:
    path = cache.get_or_make("kind", ["k"], ".bin", lambda output: _write(output, "x" * 1000))
    assert cache.size() >= 1000
    assert cache.clear() >= 1000
    assert not path.exists()
    assert cache.size() == 0


def _user(found: Connection) -> None:
    found.send(str(cache.get_or_make("kind", ["used"], ".bin", lambda output: _write(output, "x"))))
    found.recv()


def test_a_cache_in_use_is_not_wiped() -> None:
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe()
    user = context.Process(target=_user, args=(there,))
    user.start()
    path = Path(here.recv())
    with pytest.raises(UserError, match="in use by another process"):
        cache.clear()
    assert path.read_text() == "x"
    here.send("done")
    user.join()
    cache.clear()
    assert not path.exists()


def test_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CINQUEFOIL_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache.cache_root() == tmp_path / "cinquefoil"


def _write(path: Path, text: str) -> None:
    path.write_text(text)

"""Result files are replaced as a whole; what a killed writer left is removed, what another still writes is not."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from unittest import mock

import pytest

from cinquefoil.errors import OutputError
from cinquefoil.testcase.files import remove_partial, write_atomically


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def killed_while_replacing(path: Path) -> None:
    child = os.fork()
    if child == 0:
        with mock.patch.object(Path, "replace", lambda *_: os.kill(os.getpid(), signal.SIGKILL)):
            write_atomically(path, b"new")
        os._exit(1)
    assert os.waitpid(child, 0)[1] == signal.SIGKILL


def test_a_new_file_has_no_other_name_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "replace", None)
    write_atomically(tmp_path / "file", b"new")
    assert names(tmp_path) == ["file"]


def test_what_a_killed_writer_left_is_removed(tmp_path: Path) -> None:
    path = tmp_path / "summary.json"
    write_atomically(path, b"old")
    killed_while_replacing(path)
    assert len(names(tmp_path)) == 2 and path.read_bytes() == b"old"
    remove_partial(tmp_path)
    assert names(tmp_path) == ["summary.json"]


def test_what_is_being_written_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, replace = tmp_path / "summary.json", Path.replace
    write_atomically(path, b"old")

    def watched(partial: Path, target: Path) -> Path:
        remove_partial(tmp_path)  # another process reads the folder just now
        return replace(partial, target)

    monkeypatch.setattr(Path, "replace", watched)
    write_atomically(path, b"new")
    assert (names(tmp_path), path.read_bytes()) == (["summary.json"], b"new")


def test_what_belongs_to_others_stays(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("kept")
    (tmp_path / ".link.1.partial").symlink_to(victim)
    (tmp_path / ".folder.1.partial").mkdir()
    os.mkfifo(tmp_path / ".pipe.1.partial")
    (tmp_path / ".own.partial").write_text("kept")
    before = names(tmp_path)
    remove_partial(tmp_path)
    assert names(tmp_path) == before


def test_a_failed_replacement_leaves_the_old_file_alone(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(OutputError, match="cannot write"):
        write_atomically(tmp_path / "folder", b"new")
    assert names(tmp_path) == ["folder"]

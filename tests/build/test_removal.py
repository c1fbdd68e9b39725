"""What programs leave on the disk goes away, whatever it is."""

from __future__ import annotations

import os
from pathlib import Path

from cinquefoil.build.removal import remove_tree


def test_deep_closed_and_oddly_named_folders_are_removed(tmp_path: Path) -> None:
    folder, kept = tmp_path / "run", tmp_path / "kept"
    kept.mkdir()
    (kept / "file").write_text("")
    (folder / "closed" / "inner").mkdir(parents=True)
    (folder / "closed" / "file").write_text("")
    (folder / "closed").chmod(0)
    (folder / "link").symlink_to(kept)
    (folder / "run-0").mkdir()
    (folder / os.fsdecode(b"odd \xff\n name")).write_text("")
    here = Path.cwd()
    try:
        os.chdir(folder)
        for _ in range(3000):
            Path("deep").mkdir()
            os.chdir("deep")
    finally:
        os.chdir(here)
    remove_tree(folder)
    assert [path.name for path in tmp_path.rglob("*")] == ["kept", "file"]


def test_what_is_not_there_is_no_problem(tmp_path: Path) -> None:
    remove_tree(tmp_path / "nothing")

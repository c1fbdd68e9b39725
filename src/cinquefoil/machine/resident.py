"""Resident memory of processes, as proc(5) tells it."""

from __future__ import annotations

from pathlib import Path


def own_bytes(process: int | str = "self") -> int:
    """Bytes of a process, without what it shares with files in memory; 0 if it is gone."""
    return _sum(process, "RssAnon:", "RssFile:")


def family_bytes(process: int) -> int:
    """Bytes of a process and its children, what they share counted once."""
    family = (process, *_children(process))
    return sum(map(own_bytes, family)) + max(_sum(pid, "RssShmem:") for pid in family)


def _children(process: int) -> list[int]:
    try:
        text = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii")
    except OSError:
        return []
    return [int(word) for word in text.split()]


def _sum(process: int | str, *names: str) -> int:
    """Lines of `status`, which are in units of 1024 bytes."""
    try:
        lines = Path(f"/proc/{process}/status").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith(names))

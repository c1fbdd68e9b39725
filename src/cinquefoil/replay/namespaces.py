"""Namespaces that all native processes of one engine share: users, network, IPC and the host's name.

Making a network namespace takes longer than most runs, and nothing that a program may do (filter.py) leaves anything in
these, so they are made once, by the starter, and joined by every run.  They last as long as this process holds them.
Each run has process numbers and mounts of its own.
"""

from __future__ import annotations

import os
import subprocess
from functools import cache
from pathlib import Path

from cinquefoil.replay.process import memory_file, raise_problem
from cinquefoil.replay.steps import Steps, starter

_USER, _GROUP, _HOST = 1000, 1000, b"localhost"
# As in linux/sched.h; the user namespace comes first, since it gives the right to join the others.
_KINDS = {"user": 0x10000000, "net": 0x40000000, "ipc": 0x08000000, "uts": 0x04000000}


@cache
def shared_namespaces() -> tuple[tuple[int, int], ...]:
    """Descriptors and kinds; `OSError` where the system refuses them."""
    steps = Steps()
    steps.unshare(sum(_KINDS.values()))
    steps.file(Path("/proc/self/setgroups"), b"deny")
    steps.file(Path("/proc/self/uid_map"), f"{_USER} {os.geteuid()} 1".encode())
    steps.file(Path("/proc/self/gid_map"), f"{_GROUP} {os.getegid()} 1".encode())
    steps.add("h", _HOST)
    file = memory_file(steps.encoded())
    try:
        with _keeper(file) as keeper:
            assert keeper.stdout is not None
            if not keeper.stdout.read(1):
                raise_problem(os.pread(file, 1 << 12, 0))
                raise OSError("the starter ended")
            return tuple((_opened(keeper.pid, name), kind) for name, kind in _KINDS.items())
    finally:
        os.close(file)


def _keeper(file: int) -> subprocess.Popen[bytes]:
    """A process in new namespaces, that ends when its input is closed."""
    command = ["starter", str(file)]
    return subprocess.Popen(
        command, executable=starter(), pass_fds=[file], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={}
    )


def _opened(process: int, name: str) -> int:
    return os.open(f"/proc/{process}/ns/{name}", os.O_RDONLY | os.O_CLOEXEC)

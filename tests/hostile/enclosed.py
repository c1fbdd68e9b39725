"""Runs the attacks as this user or as an ordinary one, in processes of their own, and looks at the host around them."""

from __future__ import annotations

import hashlib
import os
import pickle
import pwd
import resource
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from cinquefoil.build.cache import cache_root
from cinquefoil.machine.environment import parse_arguments
from cinquefoil.replay import confinement, enclosure, namespaces, steps
from cinquefoil.replay.confinement import Confinement
from cinquefoil.replay.native_build import NativeProgram
from cinquefoil.replay.native_run import NativeRun, run_binary, run_natively
from cinquefoil.replay.process import ProcessLimits
from cinquefoil.testcase.ktest import KTest

Result = TypeVar("Result")
ORDINARY = "nobody"
STARTER = "starter"  # folder of the starter's sources, whose content is the starter's key in the cache
MARKER = f"cinq-hostile-{os.getpid()}"  # name of the program: a process that these tests leave behind carries it
_CACHES = (steps.starter, namespaces.shared_namespaces, enclosure._mount_point, confinement._tried)


@dataclass(frozen=True)
class Target:
    """A folder of the host that attacks aim at, and the two builds of the attacks."""

    folder: Path
    native: Path
    hosted: Path


def make_target(root: Path, native: Path, hosted: Path) -> Target:
    """All of it belongs to an ordinary user if there is one to be: what a program must not touch is what it could."""
    folder = root / "target"
    (folder / "inner").mkdir(parents=True)
    (folder / "victim").write_text("kept\n")
    (folder / "secret").write_text("secret\n")
    builds = [Path(shutil.copy(path, root / name)) for path, name in ((native, "native"), (hosted, "hosted"))]
    copied = root / "cache" / steps.starter().relative_to(cache_root())
    copied.parent.mkdir(parents=True)
    shutil.copy(steps.starter(), copied)
    shutil.copytree(steps._SOURCES, root / STARTER)  # the package may lie where an ordinary user cannot read it
    for path in (root, *root.rglob("*")):
        path.chmod(0o755)
        if os.geteuid() == 0:
            shutil.chown(path, ORDINARY)
    return Target(folder, *builds)


def attack(target: Target, name: str, hosted: bool, how: Confinement, limits: ProcessLimits) -> NativeRun:
    executable = target.hosted if hosted else target.native
    environment = parse_arguments([str(target.folder), name], MARKER).with_variables([f"PROGRAM={executable}"])
    test = KTest.of([], [MARKER])
    if hosted:
        return run_binary(executable, test, environment, limits, confinement=how)
    return run_natively(NativeProgram(executable, ()), test, environment, limits, confinement=how)


def as_user(ordinary: bool, root: Path, work: Callable[[], Result]) -> Result:
    """The result of `work`, done by another process, which is an ordinary user's if asked for."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.close(read)
            if ordinary:
                _become_ordinary(root)
            with os.fdopen(write, "wb") as stream:
                pickle.dump(work(), stream)
            status = 0
        finally:
            os._exit(status)
    os.close(write)
    with os.fdopen(read, "rb") as stream:
        data = stream.read()
    assert os.waitpid(child, 0)[1] == 0, "the engine's process did not survive"
    return pickle.loads(data)


def _become_ordinary(root: Path) -> None:
    user = pwd.getpwnam(ORDINARY)
    os.setgroups([])
    os.setresgid(user.pw_gid, user.pw_gid, user.pw_gid)
    os.setresuid(user.pw_uid, user.pw_uid, user.pw_uid)
    os.environ["CINQUEFOIL_CACHE"] = str(root / "cache")
    steps._SOURCES = root / STARTER
    for each in _CACHES:
        each.cache_clear()


def state(target: Target) -> object:
    """All of the host that attacks aim at, in a form that can be compared."""
    paths = [target.native, target.hosted, *sorted(target.folder.rglob("*"))]
    limits = tuple(resource.getrlimit(which) for which in (resource.RLIMIT_CORE, resource.RLIMIT_NOFILE))
    shared = tuple(Path(f"/proc/sysvipc/{kind}").read_text() for kind in ("shm", "sem", "msg"))
    return (
        tuple(map(_described, paths)),
        limits,
        os.getpriority(os.PRIO_PROCESS, 0),
        os.sched_getaffinity(0),
        shared,
        sorted(Path("/dev/shm").glob("cinq*")),
        os.uname().nodename,
    )


def _described(path: Path) -> tuple[object, ...]:
    status = path.lstat()
    content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
    extra = os.listxattr(path, follow_symlinks=False)
    return (str(path), status.st_mode, status.st_uid, status.st_nlink, status.st_size, status.st_mtime, content, extra)


def left_behind() -> list[str]:
    """Processes that carry the marker."""
    found: list[str] = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if MARKER.encode() in words:
            found.append(str(path))
    return found

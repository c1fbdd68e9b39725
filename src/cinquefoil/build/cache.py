"""A content-addressed store for everything that is slow to make: libc bitcode, objects, images.

A key is the SHA-256 of all inputs (tool versions, flags, file contents), so an entry never goes stale and
never needs invalidation.  Entries appear by an atomic rename, so a reader sees a whole file or none.  A lock
per key keeps two processes from making the same entry at once; it is advisory, and losing it (a file system
without locks) costs double work, not correctness.  Whoever has used the cache holds it until it ends, and wiping it
is refused as long as anybody else does: what one step found, the next will read.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager, suppress
from pathlib import Path

from cinquefoil.errors import UserError

KeyPart = str | bytes | Path
_IN_USE = ".in-use.lock"
_MAKING = ".making-"
_holds: dict[Path, int] = {}  # descriptors of the roots this process uses; the locks end with it


def cache_root() -> Path:
    """`CINQUEFOIL_CACHE`, or `cinquefoil` in the user's cache directory."""
    if chosen := os.environ.get("CINQUEFOIL_CACHE"):
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "cinquefoil"


def key_of(parts: Iterable[KeyPart]) -> str:
    """The digest of all parts in order; a `Path` stands for the content of that file."""
    digest = hashlib.sha256()
    for part in parts:
        data = _bytes_of(part)
        # The length keeps ("ab", "c") and ("a", "bc") apart.
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.hexdigest()


def _bytes_of(part: KeyPart) -> bytes:
    if isinstance(part, Path):
        return part.read_bytes()
    return part.encode() if isinstance(part, str) else part


def entry_path(kind: str, key: str, suffix: str) -> Path:
    """Where an entry lives, whether or not it exists yet."""
    return cache_root() / kind / key[:2] / (key + suffix)


def get_or_make(kind: str, key_parts: Iterable[KeyPart], suffix: str, make: Callable[[Path], None]) -> Path:
    """The cached file for these inputs, made by `make(temporary path)` if it is not there yet."""
    _hold(cache_root())
    path = entry_path(kind, key_of(key_parts), suffix)
    if path.exists():
        return path
    with locked(path):
        if not path.exists():
            _remove_left(path)
            write_atomically(path, make)
    return path


def _remove_left(path: Path) -> None:
    """What a killed process left of an entry.  Where files can be locked, nobody else is making it just now."""
    for left in path.parent.glob(f"{_MAKING}{path.name}-*"):
        with suppress(OSError), left.open("rb") as handle:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            left.unlink()


def _hold(root: Path) -> int:
    """Keep others from wiping the cache while this process lives."""
    known = _holds.get(root)
    if known is None:
        try:
            root.mkdir(mode=0o700, parents=True, exist_ok=True)
            _check_owner(root)
            known = _holds[root] = os.open(root / _IN_USE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise UserError(f"cannot use the cache {root}: {error.strerror}; CINQUEFOIL_CACHE names another") from error
        with suppress(OSError):
            fcntl.flock(known, fcntl.LOCK_SH)
    return known


def _check_owner(root: Path) -> None:
    """The cache holds what is executed and unpickled: nobody but its user may be able to write to it."""
    found = root.stat()
    if found.st_uid != os.geteuid():
        raise UserError(f"the cache {root} belongs to another user; choose one of your own with CINQUEFOIL_CACHE")
    if found.st_mode & 0o022:
        raise UserError(f"others may write to the cache {root}; remove it, or choose another with CINQUEFOIL_CACHE")
    if found.st_mode & 0o077:
        root.chmod(found.st_mode & 0o700)


@contextmanager
def _alone(root: Path) -> Generator[None]:
    """Hold the cache as its only user, or say that somebody else uses it."""
    hold = _hold(root)
    try:
        fcntl.flock(hold, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        fcntl.flock(hold, fcntl.LOCK_SH)
        raise UserError(f"the cache is in use by another process; nothing was removed from {root}") from None
    except OSError:  # no locks here: as well as can be
        pass
    try:
        yield
    finally:
        with suppress(OSError):
            fcntl.flock(hold, fcntl.LOCK_SH)


def write_atomically(path: Path, make: Callable[[Path], None]) -> None:
    """Let `make` write a temporary file beside `path`, then rename it to `path`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f"{_MAKING}{path.name}-", suffix=path.suffix)
    os.close(handle)
    temporary = Path(name)
    try:
        make(temporary)
        temporary.chmod(temporary.stat().st_mode | 0o444)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def locked(path: Path) -> Generator[None]:
    """Hold the lock that belongs to `path`; waits for another process that holds it."""
    lock = path.with_name(path.name + ".lock")
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("a") as handle:
        with suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def clear() -> int:
    """Remove everything; the number of bytes that were freed."""
    root = cache_root()
    if not root.exists():
        return 0
    with _alone(root):
        freed = size()
        for child in root.iterdir():
            if child.is_dir() and not child.is_symlink():
                shutil.rmtree(child, ignore_errors=True)
            elif child.name != _IN_USE:
                child.unlink(missing_ok=True)
    return freed


def size() -> int:
    """Bytes used on disk by the cache."""
    total = 0
    for folder, _, names in os.walk(cache_root()):
        for name in names:
            with suppress(FileNotFoundError):
                total += (Path(folder) / name).stat().st_size
    return total

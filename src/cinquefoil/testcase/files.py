"""Writing result files: all of a file or nothing, also when the process is killed or the disk is full.

Reading them: a folder may be anybody's, and a pipe or a device instead of a file would keep its reader waiting or
fill the memory."""

from __future__ import annotations

import errno
import fcntl
import os
import re
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final

from cinquefoil.errors import OutputError

_LARGEST: Final = 1 << 30  # bytes of a result file
_PARTIAL: Final = re.compile(r"\..+\.\d+\.partial")
_NO_UNNAMED: Final = (
    errno.EOPNOTSUPP,
    errno.EISDIR,
    errno.ENOENT,
    errno.EINVAL,
)  # the file system cannot, or hides /proc


def write_atomically(path: Path, content: bytes) -> None:
    """Replaces a file by one with this content.

    The new file has no name while it is written, where the file system can do that: whoever is killed leaves nothing
    behind, but between the two system calls that replace another file (`remove_partial`).  `OutputError` names the file
    that could not be written."""
    try:
        if path.is_symlink() or path.exists() or not _write_unnamed(path, content):
            _replace(path, content)
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror}") from error


def remove_partial(folder: Path) -> None:
    """Removes what writers left that were killed while they replaced a file of this folder.

    A writer holds a lock on its file as long as it lives; what cannot be locked or removed stays."""
    for path in folder.glob(".*.partial"):
        if _PARTIAL.fullmatch(path.name) and not path.is_symlink():
            with suppress(OSError), _opened(path) as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                path.unlink()


def read_regular(path: Path) -> bytes:
    """The content of a regular file; `OSError` if it is something else, or larger than any result."""
    with _opened(path) as file:
        if os.fstat(file.fileno()).st_size > _LARGEST:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
        return file.read(_LARGEST)


def append(path: Path, text: str) -> None:
    """Adds text to the end of a file; `OutputError` names the file if that fails."""
    try:
        with path.open("a", encoding="ascii") as file:
            file.write(text)
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror}") from error


def _opened(path: Path) -> BinaryIO:
    file = os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY), "rb")
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(errno.EINVAL, "no regular file", str(path))
    return file


def _replace(path: Path, content: bytes) -> None:
    """Writes under another name, then renames.  A file that had to be written under it is not known from one that is
    being written."""
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    partial.unlink(missing_ok=True)
    try:
        if _write_unnamed(partial, content, lambda: partial.replace(path)):
            return
        partial = partial.with_suffix("")
        partial.write_bytes(content)
        partial.replace(path)
    except OSError:
        with suppress(OSError):
            partial.unlink(missing_ok=True)
        raise


def _write_unnamed(path: Path, content: bytes, then: Callable[[], object] = lambda: None) -> bool:
    """Writes a file that gets its name when it is complete, and is locked until `then` has been called; False if the
    file system knows no such thing."""
    try:
        descriptor = os.open(path.parent, os.O_TMPFILE | os.O_WRONLY | os.O_CLOEXEC, 0o644)
    except OSError as error:
        if error.errno in _NO_UNNAMED:
            return False
        raise
    with os.fdopen(descriptor, "wb") as file:
        with suppress(OSError):  # where there are no locks, nobody removes what is locked
            fcntl.flock(file, fcntl.LOCK_EX)
        file.write(content)
        file.flush()
        try:
            # A directory's descriptor makes Python call linkat, which follows the link to the open file.
            os.link(f"/proc/self/fd/{descriptor}", path, src_dir_fd=descriptor, follow_symlinks=True)
        except OSError as error:
            if error.errno in (*_NO_UNNAMED, errno.EEXIST):
                return False
            raise
        then()
    return True

"""Writing result files: all of a file or nothing, also when the process is killed or the disk is full.

Reading them: a folder may be anybody's, and a pipe or a device in the place of a file would keep its reader waiting or
fill the memory."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path

from cinquefoil.errors import OutputError

_LARGEST = 1 << 30  # bytes of a result file
_NO_UNNAMED = (errno.EOPNOTSUPP, errno.EISDIR, errno.ENOENT, errno.EINVAL)  # the file system cannot, or hides /proc


def write_atomically(path: Path, content: bytes) -> None:
    """Replaces a file by one with this content.

    The new file has no name while it is written, where the file system can do that: whoever is killed leaves nothing
    behind.  `OutputError` names the file that could not be written."""
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        new = not path.is_symlink() and not path.exists()
        if new and _write_unnamed(path, content):  # no other name, not even for a moment
            return
        if not _write_unnamed(partial, content):
            partial.write_bytes(content)
        partial.replace(path)
    except OSError as error:
        with suppress(OSError):
            partial.unlink(missing_ok=True)
        raise OutputError(f"cannot write {path}: {error.strerror}") from error


def read_regular(path: Path) -> bytes:
    """The content of a regular file; `OSError` if it is something else, or larger than any result."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "no regular file", str(path))
        if status.st_size > _LARGEST:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
        return file.read(_LARGEST)


def append(path: Path, text: str) -> None:
    """Adds text to the end of a file; `OutputError` names the file if that fails."""
    try:
        with path.open("a", encoding="ascii") as file:
            file.write(text)
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror}") from error


def _write_unnamed(path: Path, content: bytes) -> bool:
    """Writes a file that gets its name when it is complete; False if the file system knows no such thing."""
    try:
        descriptor = os.open(path.parent, os.O_TMPFILE | os.O_WRONLY | os.O_CLOEXEC, 0o644)
    except OSError as error:
        if error.errno in _NO_UNNAMED:
            return False
        raise
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        try:
            # A directory's descriptor makes Python call linkat, which follows the link to the open file.
            os.link(f"/proc/self/fd/{descriptor}", path, src_dir_fd=descriptor, follow_symlinks=True)
        except OSError as error:
            if error.errno in (*_NO_UNNAMED, errno.EEXIST):
                return False
            raise
    return True

"""The source files of a program: which of the files that debug information names may be shown.

Debug information can name any file of this machine (`#line` is enough), and a report is made to be handed on.  A file
is shown only if it is what the compiler read: its content has the checksum that the compiler recorded.  Files without
one, those that `#line` names (a parser generator's grammar), are shown if they lie in the folder of the program or
below it, with no symbolic link on the way."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

_SUFFIXES: Final = frozenset({".c", ".h", ".i", ".y", ".l", ".inc", ".def", ".cc", ".cpp", ".hpp", ".rs", ".f90"})


@dataclass(frozen=True, slots=True)
class Sources:
    """`checksums` are those that debug information has (MD5, by file name), `folder` is the program's."""

    checksums: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    folder: Path | None = None

    def text(self, file: str, most: int) -> str | None:
        """A source's content; None if it is not here, too long, or not a source of the program."""
        path = Path(file)
        try:
            if path.suffix.lower() not in _SUFFIXES or not path.is_file() or path.stat().st_size > most:
                return None
            content = path.read_bytes()
        except (OSError, ValueError):  # a name may hold a NUL
            return None
        known = self.checksums.get(file)
        if known is None:
            return content.decode("utf-8", "replace") if self._is_ours(path) else None
        read = hashlib.md5(content, usedforsecurity=False).hexdigest()
        return content.decode("utf-8", "replace") if read in known else None

    def _is_ours(self, path: Path) -> bool:
        if self.folder is None:
            return False
        folder, whole = self.folder.resolve(), path.resolve()
        return whole.is_relative_to(folder) and not any(part.is_symlink() for part in _parts_below(path, folder))


def _parts_below(path: Path, folder: Path) -> list[Path]:
    """A path and its parents, as it is written, up to the folder."""
    absolute = Path.cwd() / path
    return [part for part in (absolute, *absolute.parents) if folder in part.resolve().parents]

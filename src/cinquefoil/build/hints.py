"""What to say about a header that is not found: which library it belongs to, and that this one is not used here."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

_MISSING: Final = re.compile(r"fatal error: '([^']+)' file not found")
_HOST_FOLDERS: Final = (Path("/usr/include"), Path("/usr/include/x86_64-linux-gnu"))
# Headers that glibc has and musl does not.
_GLIBC: Final = frozenset(
    [
        *("a.out.h", "aliases.h", "argp.h", "argz.h", "envz.h", "error.h", "execinfo.h", "fpu_control.h", "fstab.h"),
        *("fts.h", "gconv.h", "gnu-versions.h", "gshadow.h", "ieee754.h", "libintl.h", "mcheck.h", "nss.h"),
        *("obstack.h", "printf.h", "proc_service.h", "re_comp.h", "regexp.h", "sgtty.h", "thread_db.h", "ttyent.h"),
        *("sys/cdefs.h", "sys/debugreg.h", "sys/elf.h", "sys/gmon.h", "sys/gmon_out.h", "sys/profil.h"),
        *("sys/queue.h", "sys/sysctl.h", "sys/tree.h", "sys/ustat.h", "sys/vlimit.h", "sys/vtimes.h"),
    ]
)
_GLIBC_FOLDERS: Final = ("bits", "gnu", "rpc", "rpcsvc", "protocols")


def header_hint(diagnostics: str) -> str:
    """A line for clang's message about a missing header; nothing where there is nothing to say."""
    found = _MISSING.search(diagnostics)
    if found is None:
        return ""
    name = found[1]
    if name in _GLIBC or name.split("/")[0] in _GLIBC_FOLDERS:
        return f"note: the C library here is musl, and {name} is a header of glibc"
    if any((folder / name).is_file() for folder in _HOST_FOLDERS):
        return f"note: the C library here is musl, and this machine's own headers, such as {name}, are not used"
    return ""

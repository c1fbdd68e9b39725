"""What a program may not contain, whatever language or compiler it comes from.

Names of the engine: the run-time is linked into the same image as the program.  Its functions check nothing, because
instrumented code is their only caller; a program that could name them could write anywhere in the worker.  A program
cannot reach them by address either: loads and stores look at tags, which the run-time's memory has none of, and
indirect calls go to listed functions only.

Address spaces: on x86-64 a numbered one means an access relative to a segment register, which no tag describes.
"""

from __future__ import annotations

import re

from cinquefoil.errors import BitcodeError, LinkError

RESERVED = ("cinq_", "cinq.", "__cinq_", "__start_cinq", "__stop_cinq")
_NAMED = re.compile(r'@"?(?:\\01)?((?:' + "|".join(map(re.escape, RESERVED)) + r")[-\w$.]*)")
_STRING = re.compile(r'\bc"[^"]*"')
_SEGMENT = re.compile(r"\baddrspace\((0*[1-9]\d*)\)")
_SHOWN = 5


def check_module(text: str) -> None:
    """A module as textual IR is refused if it holds something of the above, whatever its linkage."""
    code = _STRING.sub("", text)
    names = sorted(set(_NAMED.findall(code)))
    if names:
        listed = ", ".join(names[:_SHOWN]) + (", ..." if len(names) > _SHOWN else "")
        raise LinkError(f"names that begin with cinq_ belong to the run-time and cannot be used: {listed}")
    if (found := _SEGMENT.search(code)) is not None:
        raise BitcodeError(f"memory of address space {found[1]} (a segment register) is not supported")

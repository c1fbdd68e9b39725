"""The error that ended a run, as the worker describes it in the shared memory.

Programs in which most paths end in errors are explored at the pace at which errors are read, so the record is copied
once, as a whole, and codes become names by a table.  What is read may have been written by a hostile program."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from cinquefoil import layout
from cinquefoil.errors import EngineError, UntrustedWorker
from cinquefoil.ir.sites import SiteTable
from cinquefoil.machine.run import RunError
from cinquefoil.machine.shared import SharedMemory

_FIELDS: Any = layout.CONTROL.fields
_RECORD, _OFFSET = _FIELDS["error"][:2]
_BEGIN, _END = layout.SHM_CONTROL + _OFFSET, layout.SHM_CONTROL + _OFFSET + _RECORD.itemsize
_NAMES = "kind site access region address size object_base object_size object_site freed_site depth backtrace message"
if " ".join(_RECORD.names) != _NAMES:
    raise EngineError("the record of errors has other fields than are read here")


def _table(codes: type[IntEnum]) -> dict[int, str]:
    return {code.value: code.name.lower().replace("_", "-") for code in codes}


_KINDS, _ACCESSES, _REGIONS = map(_table, (layout.ErrorKind, layout.Access, layout.Region))


def read_error(memory: SharedMemory, sites: SiteTable) -> RunError:
    """The error of the last run; `UntrustedWorker` if there are no such codes or sites."""
    copy = memory.read(_BEGIN, _END - _BEGIN)  # the worker may still write to the original
    record = np.frombuffer(copy, _RECORD)[0].item()
    kind, site, access, region, address, size, base, room, object_site, freed_site, depth, trace, message = record
    frames: list[int] = trace[: min(depth, layout.BACKTRACE)].tolist()
    if max(site, object_site, freed_site, *frames) >= len(sites):
        raise UntrustedWorker("a site of an error")
    try:
        names = _KINDS[kind], _ACCESSES[access], _REGIONS[region]
    except KeyError:
        raise UntrustedWorker("a code of an error") from None
    return RunError(
        kind=names[0],
        site=site,
        message=message.decode("utf-8", "replace"),
        access=names[1],
        region=names[2],
        address=address,
        size=size,
        object_base=base,
        object_size=room,
        object_site=object_site,
        freed_site=freed_site,
        backtrace=_backtrace(sites, site, frames),
    )


def _backtrace(sites: SiteTable, site: int, frames: list[int]) -> tuple[int, ...]:
    """Innermost first.  The frame of the failing function holds its last call: the failing site is more recent."""
    if site and frames and sites[site].function == sites[frames[0]].function:
        frames = frames[1:]
    return (site, *frames) if site else tuple(frames)

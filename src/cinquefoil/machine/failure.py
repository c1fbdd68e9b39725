"""What an error that ended a run is about, in terms of the source: its location, the calls that led there and
the object."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cinquefoil.ir.sites import Site, SiteKind

if TYPE_CHECKING:  # numpy takes longer to load than `shown`, for which commands come here, takes to run
    from cinquefoil.machine.run import RunError

UNSUPPORTED: Final = "unsupported"
"""The end of a run that met a construct without which it cannot go on; its `error` tells the location."""
FALSE_ASSUMPTION: Final = "false-assumption"
_START: Final = "cinq_start"


@dataclass(frozen=True, slots=True)
class Where:
    """A location in the source."""

    function: str
    file: str
    line: int
    column: int
    library: bool

    def __str__(self) -> str:
        if not self.file:
            return f"an unknown line in {self.function}" if self.function else "an unknown location"
        column = f":{self.column}" if self.column else ""
        return f"{shown(self.file)}:{self.line}{column}" + (f" in {self.function}" if self.function else "")


@dataclass(frozen=True, slots=True)
class Concerned:
    """The object that a memory error is about; `offset` is that of the access."""

    region: str
    size: int
    offset: int
    name: str
    made: Where | None
    freed: Where | None


@dataclass(frozen=True, slots=True)
class Failure:
    """An error of the program: where it is, and the calls that led there, innermost first."""

    kind: str
    message: str
    access: str
    size: int
    address: int
    where: Where | None
    called_from: tuple[Where, ...]
    concerned: Concerned | None


def shown(file: str) -> str:
    """A path as people want to read it: relative when it is below the working directory."""
    path = Path(file)
    try:
        return str(path.relative_to(Path.cwd()))
    except (ValueError, OSError):
        return file


def location_of(site: Site) -> Where:
    return Where(site.function, site.file, site.line, site.column, site.library)


def failure_of(error: RunError, message: str, sites: Sequence[Site]) -> Failure:
    locations = [location_of(site) for site in trail(error, sites)]
    return Failure(
        kind=error.kind,
        message=message,
        access=error.access,
        size=error.size,
        address=error.address,
        where=locations[0] if locations else None,
        called_from=tuple(locations[1:]),
        concerned=_concerned(error, sites),
    )


def called_from(backtrace: Sequence[int], sites: Sequence[Site]) -> list[Site]:
    """The calls of a backtrace, without that of main."""
    frames = [sites[number] for number in backtrace if number]
    return frames[:-1] if frames and frames[-1].function == _START else frames


def trail(error: RunError, sites: Sequence[Site]) -> list[Site]:
    """The error's location, then the calls that led there.

    The innermost frame is that of the erring function itself, with the last call it made, unless it made
    none.
    """
    frames = called_from(error.backtrace, sites)
    if not error.site:
        return frames
    here = sites[error.site]
    if frames and frames[0].function == here.function and frames[0].detail != here.function:
        frames.pop(0)
    return [here, *frames]


def _concerned(error: RunError, sites: Sequence[Site]) -> Concerned | None:
    if error.region == "none":
        return None
    made = _maker(error, sites)
    freed = sites[error.freed_site] if error.freed_site else None
    return Concerned(
        region=error.region,
        size=error.object_size,
        offset=error.address - error.object_base,
        name=_variable(made) if made else "",
        made=location_of(made) if made else None,
        freed=location_of(freed) if freed else None,
    )


def _maker(error: RunError, sites: Sequence[Site]) -> Site | None:
    """The site that made the object; for a global, its definition, which belongs to no function."""
    site = sites[error.object_site] if error.object_site else None
    if site and error.region == "global" and (site.kind is not SiteKind.OBJECT or site.function):
        return None
    return site


def _variable(site: Site) -> str:
    """The name of a variable, if it is one that somebody chose: compilers number what has none."""
    named = site.kind is SiteKind.OBJECT and not site.detail.lstrip("%.").isdigit()
    return site.detail if named else ""


# ---- in words ----


def summary(failure: Failure) -> str:
    """The error in one line, without its location."""
    return ": ".join(part for part in (failure.kind, described(failure)) if part)


def described(failure: Failure) -> str:
    """What happened, in one line, without the error's kind and location; empty if there is no more to say."""
    return ": ".join(part for part in (failure.message, _access(failure)) if part)


def _access(failure: Failure) -> str:
    if failure.access in ("free", "call"):
        return f"{failure.access} of address {failure.address:#x}"
    if failure.access not in ("read", "write"):
        return ""
    if failure.concerned:
        return f"{failure.access} of {count(failure.size, 'byte')} {_position(failure)}"
    size = f" of {count(failure.size, 'byte')}" if failure.size else ""
    return f"{failure.access}{size} at address {failure.address:#x}"


def _position(failure: Failure) -> str:
    concerned = failure.concerned
    assert concerned is not None
    what = f"{concerned.region} object" + (f" '{concerned.name}'" if concerned.name else "")
    return f"at offset {concerned.offset} of a {what} of {count(concerned.size, 'byte')}"


def count(number: int, what: str, many: str = "") -> str:
    """A number of things: `many` is the plural, if it is not made by an s."""
    return f"{number} {what if number == 1 else many or what + 's'}"

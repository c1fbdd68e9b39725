"""Which runs become tests, and which errors were found.

A test is kept when its run covers something new or ends in an error not seen at that location (or always, by
option).  A run that ends in a failed assumption is kept only by that option, one that ends silently never.

An error is one kind at one location: the innermost site of the program's own on the backtrace.  Each is kept once, with
the smallest input seen so far (total size of its objects, then their bytes), and confirmed by running that input
again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from cinquefoil.exploration.runs.coverage import may_be_test
from cinquefoil.exploration.runs.unsupported import met_unsupported
from cinquefoil.ir.sites import Site
from cinquefoil.machine.failure import FALSE_ASSUMPTION, described, failure_of
from cinquefoil.machine.run import Run, RunError

Objects = tuple[tuple[str, bytes], ...]


@dataclass(frozen=True, slots=True)
class Test:
    """An input worth keeping: `number` names its file."""

    number: int
    witness: bytes
    objects: Objects
    why: str  # "coverage", "error", "path" or "assumed" (a path that a failed assumption ended)

    @property
    def size(self) -> tuple[int, Objects]:
        """Smaller is better."""
        return sum(len(content) for _, content in self.objects), self.objects


Location = tuple[str, str, str, int, int]  # kind, function, file, line and column: two of one line are two errors
_ErrorKey = tuple[str, int, tuple[int, ...]]  # kind, site and backtrace of an error


@dataclass(slots=True)
class FoundError:
    """An error of the program, at the location its own code is to blame for."""

    kind: str
    function: str
    file: str
    line: int
    message: str
    test: Test
    detail: RunError
    confirmed: bool = False
    seen: int = 1  # runs that ended so
    after_unsupported: bool = False  # something that is not supported was met on its path before


@dataclass(slots=True)
class Findings:
    """`keep` is called with each test to be written, again under the same number when a smaller input is
    found."""

    sites: Sequence[Site]
    keep: Callable[[Test], None]
    rerun: Callable[[bytes], Run]
    every_path: bool = False
    is_new: Callable[[Run], bool] = lambda run: True  # asked once about every run that is considered for its path
    prefer: Callable[[Run], Run] = lambda run: run  # a run of the same path whose input the program prefers
    stop: str | None = None  # why the exploration should end now, if these findings ask for it
    tests: dict[int, Test] = field(default_factory=dict[int, Test])
    errors: dict[Location, FoundError] = field(default_factory=dict[Location, FoundError])
    _locations: dict[_ErrorKey, Location] = field(default_factory=dict[_ErrorKey, Location])
    _covering: set[int] = field(default_factory=set[int])  # tests of errors that also covered something first

    @property
    def error_sites(self) -> set[int]:
        """Checks of the program's own that failed in an error found."""
        sites = {error.detail.site for error in self.errors.values()}
        return {site for site in sites if not self.sites[site].library}

    def wants(self, run: Run) -> bool:
        """Whether a run shall be considered although it neither covered anything new nor failed."""
        return self.every_path

    def consider(self, run: Run, gained: bool, new_path: bool) -> tuple[int, ...]:
        """Looks at a run that has been added to tree and coverage; the numbers of the tests it became, the one that
        stands for its coverage first."""
        new_path = new_path and self.every_path and self.is_new(run)
        if run.error is not None and run.end == "error":
            return self._error(run, run.error, gained)
        if not may_be_test(run):
            return self._keep(self._test(run, "assumed")) if new_path and run.end == "assume" else ()
        if gained:
            return self._keep(self._test(self.prefer(run), "coverage"))
        if new_path and run.end == "exit":
            return self._keep(self._test(self.prefer(run), "path"))
        return ()

    def false_assumption(self, run: Run, error: RunError) -> tuple[int, ...]:
        """A run ended in an assumption that no input of its path satisfies: the tests it became."""
        return self._error(replace(run, end="error", error=error), error, False)

    def _error(self, run: Run, error: RunError, gained: bool) -> tuple[int, ...]:
        location = self._location(error)
        known = self.errors.get(location)
        if known is None:
            run = self.prefer(run)
            error = run.error or error
            test = self._test(run, "error")
            self._covering.update([test.number] if gained else [])
            kept = self._keep(test)
            self.errors[location] = FoundError(
                *location[:4], self._message(error), test, error, self._confirm(run, location)
            )
            self.errors[location].after_unsupported = met_unsupported(run)
            return kept
        known.seen += 1
        kept = self._keep(self._test(self.prefer(run), "coverage")) if gained else ()
        smaller = self._test(run, "error", self._replaceable(known.test))
        return kept + self._replace(known, location, run, smaller) if smaller.size < known.test.size else kept

    def _replace(self, known: FoundError, location: Location, run: Run, smaller: Test) -> tuple[int, ...]:
        """Has a smaller input stand for an error, if it still is smaller once the program's preferences are met."""
        if run.remarks:
            run = self.prefer(run)
            smaller = self._test(run, "error", smaller.number)
            if smaller.size >= known.test.size:
                return ()
        if known.confirmed and not self._confirm(run, location):
            return ()
        error = run.error or known.detail
        known.test, known.detail, known.message = smaller, error, self._message(error)
        known.after_unsupported = met_unsupported(run)
        return self._keep(smaller)

    def _message(self, error: RunError) -> str:
        return described(failure_of(error, error.message, self.sites))

    def _replaceable(self, test: Test) -> int:
        """The test's number, or 0 if something is covered by it alone: then a smaller input is a test of its own."""
        return 0 if test.number in self._covering else test.number

    def _confirm(self, run: Run, location: Location) -> bool:
        again = self.rerun(run.witness)
        if location[0] == FALSE_ASSUMPTION and again.end == "assume":
            return True
        return again.error is not None and self._location(again.error) == location

    def _location(self, error: RunError) -> Location:
        """Many runs fail at few locations: what is found out about one is kept."""
        key = (error.kind, error.site, error.backtrace)
        found = self._locations.get(key)
        if found is None:
            found = self._locations[key] = self._blamed(error)
        return found

    def _blamed(self, error: RunError) -> Location:
        chain = [site for site in (error.site, *error.backtrace) if site]
        own = [site for site in chain if not self.sites[site].library]
        number = (own or chain or [0])[0]
        site = self.sites[number]
        return (error.kind, site.function, site.file, site.line, site.column)

    def _test(self, run: Run, why: str, number: int = 0) -> Test:
        objects = tuple((o.name, run.witness[o.first : o.first + o.size].ljust(o.size, b"\0")) for o in run.objects)
        return Test(number or len(self.tests) + 1, run.witness, objects, why)

    def _keep(self, test: Test) -> tuple[int, ...]:
        self.tests[test.number] = test
        self.keep(test)
        return (test.number,)

"""How to explore: one frozen record, whose fields are the command's options too."""

from __future__ import annotations

from dataclasses import dataclass

TABLE_MEMORY = 320 << 20  # eight million nodes


@dataclass(frozen=True, slots=True)
class Options:
    """A limit of None means none."""

    search: tuple[str, ...] = ()  # strategies that take turns; empty: search.registry.DEFAULT
    seed: int = 0
    max_time: float | None = None  # seconds
    clock: str = "wall"  # what max_time counts: "wall", or "cpu" seconds of engine and worker
    max_paths: int | None = None
    max_tests: int | None = None
    max_errors: int | None = None  # distinct ones
    max_memory: int | None = None  # bytes of engine and workers together
    every_path: bool = False  # write a test for every path, not only for what is new
    muted: bool = False  # explore branches inside output formatting too
    solver_seconds: float = 0.5  # per query at first; questions left open are asked again with four times as much
    retries: int = 3  # rounds of asking open questions again, once nothing else is left
    multiplex: tuple[str, ...] = ("auto",)  # MuSE's instances: simplex, arrays, descent, sweep; auto: see the docs
    partial: int = 64  # partial solutions to run per answer
    variants: bool | None = None  # try variants of inputs that covered something new; None: with the default search
    inputs: tuple[bytes, ...] = ()  # witnesses to start from, beside the empty one
    path_memory: int = 256 << 20  # bytes of recent runs' events to keep; older ones are run again
    workers: int = 1  # processes that solve and run; with one, this process does it all
    meld: str = ""  # "auto", "all" or "marked": explore the melded program (CFMSE)
    interval: float = 1.0  # seconds between progress reports
    prune: str = "none"  # what forgets states that promise little
    check: tuple[str, ...] = ()  # further errors to look for, by the names in explore/checking.py
    no_check: tuple[str, ...] = ()  # errors not to look for, by the names there
    until_covered: str = ""  # end when all "branches" or "blocks" of the program are covered

    def table_memory(self) -> int:
        """Bytes of expressions at which a worker's table is dropped.  A node costs about as much again in the worker's
        indices and in what the solver learns of it."""
        return TABLE_MEMORY if self.max_memory is None else min(TABLE_MEMORY, self.max_memory // (6 * self.workers))

    @property
    def varying(self) -> bool:
        """Are variants wanted?  A strategy asked for by name is left to itself, unless they are asked for too."""
        return not self.search if self.variants is None else self.variants

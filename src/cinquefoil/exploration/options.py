"""How to explore: one frozen record, whose fields are the command's options too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from cinquefoil.errors import UserError
from cinquefoil.transform.meld.meld_options import MODES

TABLE_MEMORY = 320 << 20  # eight million nodes
MAX_WORKERS = 128
_NAMES = ("search", "multiplex", "check", "no_check", "layers", "mutators", "plugins")
_CHOICES = {
    "clock": ("wall", "cpu"),
    "meld": ("", *MODES),
    "until_covered": ("", "branches", "blocks"),
}
_SECONDS = ("max_time", "solver_seconds", "interval")  # may have a fraction
_LEAST = {
    "seed": 0,
    "max_time": 0,
    "max_paths": 1,
    "max_tests": 1,
    "max_errors": 1,
    "max_memory": 1,
    "solver_seconds": 0,
    "retries": 0,
    "partial": 0,
    "path_memory": 0,
    "workers": 1,
    "interval": 0,
}
_SHARE = 4  # of all memory: a node costs as much again in the engine's copy and in the worker's indices


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
    explore_output: bool = False  # explore branches inside output formatting too
    solver_seconds: float = 0.5  # per query at first; questions left open are asked again with four times as much
    retries: int = 3  # rounds of asking open questions again, once nothing else is left
    multiplex: tuple[str, ...] = ("auto",)  # MuSE's instances: simplex, arrays, descent, sweep; auto: see the docs
    partial: int = 64  # partial solutions to run per answer
    mutations: bool | None = None  # try mutations of inputs that covered something new; None: with the default search
    inputs: tuple[bytes, ...] = ()  # witnesses to start from, beside the empty one
    path_memory: int = 256 << 20  # bytes of recent runs' events to keep; older ones are run again
    workers: int = 1  # processes that solve and run; with one, this process does it all
    meld: str = ""  # "auto", "all" or "marked": explore the melded program (CFMSE)
    interval: float = 1.0  # seconds between progress reports
    prune: str = "none"  # what forgets states that promise little
    check: tuple[str, ...] = ()  # further errors to look for, by the names in exploration/session/checking.py
    no_check: tuple[str, ...] = ()  # errors not to look for, by the names there
    until_covered: str = ""  # end when all "branches" or "blocks" of the program are covered
    layers: tuple[str, ...] = ()  # solver layers to add to the chain, by their registered names
    mutators: tuple[str, ...] = ()  # mutators to use beside the built-in ones
    plugins: tuple[str, ...] = ()  # Python files that register strategies, pruners, layers or mutators

    def __post_init__(self) -> None:
        """Refuses what makes no sense by itself; names are looked up by `session/validating.py`."""
        for name in _NAMES:
            if not isinstance(getattr(self, name), tuple):
                raise UserError(f"{name} is {getattr(self, name)!r}: it must be a tuple of names")
        for name, known in _CHOICES.items():
            if getattr(self, name) not in known:
                raise UserError(f"{name} is {getattr(self, name)!r}: choose from {', '.join(filter(None, known))}")
        for name, least in _LEAST.items():
            _check_number(name, getattr(self, name), least, optional=name.startswith("max_"))
        if self.workers > MAX_WORKERS:
            raise UserError(f"workers is {self.workers}: there can be 1 to {MAX_WORKERS}")
        if self.workers > 1 and self.clock != "wall":
            raise UserError("with several workers, only wall time can be counted")

    def table_memory(self) -> int:
        """Bytes of expressions at which a worker's table is dropped, between runs."""
        return TABLE_MEMORY if self.max_memory is None else min(TABLE_MEMORY, self.table_limit() // 2)

    def table_limit(self) -> int:
        """Bytes of expressions that there may be at any time: a run that makes more is cut."""
        return 2 * TABLE_MEMORY if self.max_memory is None else self.max_memory // (_SHARE * self.workers)

    @property
    def mutating(self) -> bool:
        """Are mutations wanted?  A strategy asked for by name is left to itself, unless they are asked for too."""
        return not self.search if self.mutations is None else self.mutations


def _check_number(name: str, value: object, least: int, optional: bool) -> None:
    """A number, of whole ones unless it counts seconds, that is not too small; None only for limits."""
    if value is None and optional:
        return
    right = isinstance(value, (int, float) if name in _SECONDS else int) and not isinstance(value, bool)
    if not right:
        raise UserError(f"{name} is {value!r}: it must be a {'' if name in _SECONDS else 'whole '}number")
    if not cast("float", value) >= least:
        raise UserError(f"{name} is {value!r}: it must be at least {least}")

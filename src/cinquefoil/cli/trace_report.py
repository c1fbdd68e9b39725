"""What a traced run did, as plain data: the end, the input, every event with its location and its condition.

`describe` reads everything that the expression table says, so that a report outlives its worker.
`trace_text.py` writes it for people; `dataclasses.asdict` of it is the JSON form.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cinquefoil.exploration.runs.remarks import Teller, Told
from cinquefoil.expr.constraint import Constraint
from cinquefoil.expr.naming import Namer, object_names
from cinquefoil.expr.printing import Printer
from cinquefoil.expr.table import ExpressionTable
from cinquefoil.ir.sites import Site
from cinquefoil.layout import ErrorKind, EventKind, Op, Reason
from cinquefoil.machine.failure import Failure, Where, failure_of, location_of
from cinquefoil.machine.run import Run, RunError


@dataclass(frozen=True, slots=True)
class Step:
    """One event: `outcome` is the direction or value, `condition` what then holds on this path."""

    kind: str
    where: Where
    outcome: str
    condition: str | None
    muted: bool


@dataclass(frozen=True, slots=True)
class Input:
    name: str
    size: int
    hex: str


@dataclass(frozen=True, slots=True)
class TraceReport:
    """`bindings` are names for shared parts of conditions, each used by later ones."""

    end: str
    status: int
    steps: int
    seconds: float
    inputs: tuple[Input, ...]
    output: str
    output_total: int
    failure: Failure | None
    events: tuple[Step, ...]
    bindings: tuple[tuple[str, str], ...]
    path_condition: tuple[str, ...]
    remarks: tuple[Told, ...] = ()  # what the program told by KLEE's functions


def constraint_of(event: np.void, alts: NDArray[np.uint32]) -> Constraint | None:
    """What an event says about the input; nothing if it is about nothing symbolic."""
    kind, node = EventKind(int(event["kind"])), int(event["expr"])
    if kind is EventKind.UNSUPPORTED or node == 0:
        return None
    if kind is EventKind.SWITCH:
        return Constraint(int(alts[int(event["alts"]) + 1 + int(event["taken"])]))
    if kind in (EventKind.PIN, EventKind.CONCRETIZE):
        return Constraint(node, int(event["value"]))
    return Constraint(node, int(event["taken"]))


def path_condition(run: Run, alts: NDArray[np.uint32]) -> list[Constraint]:
    """All constraints of a run in order, each once."""
    found = (constraint_of(event, alts) for event in run.events)
    return list(dict.fromkeys(constraint for constraint in found if constraint is not None))


def names_of(run: Run) -> Namer:
    """Input bytes by the objects that the run made."""
    return object_names((item.name, item.first, item.size) for item in run.objects)


def describe(run: Run, sites: Sequence[Site], table: ExpressionTable, alts: NDArray[np.uint32]) -> TraceReport:
    """Everything worth telling about a run."""
    condition = path_condition(run, alts)
    rendering = Printer(table, names_of(run)).constraints([upright(c, table) for c in condition])
    texts = dict(zip(condition, rendering.texts, strict=True))
    return TraceReport(
        end=run.end,
        status=run.code,
        steps=run.steps,
        seconds=run.nanoseconds / 1e9,
        inputs=tuple(Input(o.name, o.size, run.witness[o.first : o.first + o.size].hex()) for o in run.objects),
        output=run.output.decode("utf-8", "backslashreplace"),
        output_total=run.output_total,
        failure=failure_of(run.error, _message(run, run.error, sites), sites) if run.error else None,
        events=tuple(_step(event, sites, texts, alts) for event in run.events),
        bindings=rendering.bindings,
        path_condition=rendering.texts,
        remarks=_remarks(run, sites, table, alts),
    )


def _remarks(run: Run, sites: Sequence[Site], table: ExpressionTable, alts: NDArray[np.uint32]) -> tuple[Told, ...]:
    def path(count: int) -> list[Constraint]:
        found = (constraint_of(event, alts) for event in run.events[:count])
        return [constraint for constraint in found if constraint is not None]

    teller = Teller(run, sites, table, path)
    return tuple(map(teller.tell, run.remarks))


def upright(constraint: Constraint, table: ExpressionTable) -> Constraint:
    """The same without negations around its condition: they only make it hard to read."""
    node, value, equal = constraint
    while table.width(node) == 1:
        op, _, a, b, _, _ = table.fields(node)
        if op is not Op.XOR or table.op(b) is not Op.CONST or not table.imm(b) & 1:
            break
        node, value = a, value ^ 1
    return Constraint(node, value, equal)


def _step(event: np.void, sites: Sequence[Site], texts: dict[Constraint, str], alts: NDArray[np.uint32]) -> Step:
    kind = EventKind(int(event["kind"]))
    constraint = constraint_of(event, alts)
    text = texts[constraint] if constraint is not None else None
    where = location_of(sites[int(event["site"])])
    return Step(kind.name.lower(), where, _outcome(kind, event), text, bool(event["muted"]))


def _outcome(kind: EventKind, event: np.void) -> str:
    taken, value = int(event["taken"]), int(event["value"])
    match kind:
        case EventKind.BRANCH:
            return "true" if taken else "false"
        case EventKind.SWITCH:
            return f"value {value}" if taken else f"value {value} (default)"
        case EventKind.CHECK:
            return f"{'no ' if taken else ''}{_words(ErrorKind(value).name)}"
        case EventKind.PIN:
            return f"value {value}"
        case EventKind.CONCRETIZE:
            return f"value {value} ({_words(Reason(taken).name)})"
        case EventKind.ASSUME:
            return "holds" if taken else "fails"
        case EventKind.UNSUPPORTED:
            return _words(Reason(value).name)


def _words(name: str) -> str:
    return name.lower().replace("_", "-")


def _message(run: Run, error: RunError, sites: Sequence[Site]) -> str:
    """What the error says of itself; what is unsupported is named by its event and the construct at its location."""
    last = run.events[-1] if len(run.events) else None
    if error.message or error.kind != "unsupported" or last is None or int(last["kind"]) != EventKind.UNSUPPORTED:
        return error.message
    construct = sites[error.site].detail
    reason = _outcome(EventKind.UNSUPPORTED, last)
    return reason if not construct or reason in construct else f"{reason} {construct}"

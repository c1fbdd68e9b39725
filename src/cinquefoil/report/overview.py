"""The figures: summary, what happened over time, where the time went."""

from __future__ import annotations

from typing import Final

from cinquefoil.report.charts import Curve, bars, chart, spoken_count, spoken_size, spoken_time
from cinquefoil.report.markup import Html, element, join
from cinquefoil.report.reading import Record
from cinquefoil.report.results import Results, Series

_REASONS: Final = {
    "exhausted": "all paths explored",
    "covered": "all of the program is covered",
    "done": "nothing left that could be decided",
    "interrupted": "interrupted",
    "failed": "the engine failed",
    "running": "not at its end when this was written",
}
_PHASES: Final = {
    "native": "running the program",
    "tree": "tree and coverage",
    "search": "keeping and choosing states",
    "query": "preparing queries",
    "solver": "solving",
    "output": "writing",
    "loop": "limits and counts",
}
_HOLES: Final = {
    "pending": "states not explored",
    "unknown": "queries undecided",
    "cut": "paths cut by a limit",
    "unsupported": "paths cut by something not supported",
    "diverged": "paths that left their prediction",
    "died": "paths that ended the worker",
}
_MEGABYTE: Final = 1 << 20
_ANSWERS: Final = (("queries", "queries"), ("sat", "solved"), ("unsat", "infeasible"), ("unknown", "undecided"))


# ---- summary ----


def summary(results: Results) -> Html:
    figures, paths = results.summary, results.summary.record("paths")
    ended = paths.whole("completed") + paths.whole("error")
    reason = figures.text("reason")
    errors, rate = len(figures.records("errors")), ended / max(figures.number("seconds"), 1e-9)
    found = [
        _card("errors", str(errors), "distinct", "bad" if errors else "good"),
        _card("paths", spoken_count(ended), f"{spoken_count(rate if rate < 10 else round(rate))} per second"),
        _card("tests", spoken_count(figures.whole("tests")), "inputs kept"),
        _card("time", spoken_time(figures.number("seconds")), _REASONS.get(reason, f"stopped by --{reason}")),
        _card("memory", spoken_size(figures.record("memory").number("peak_bytes")), "at most"),
    ]
    covered = [_share(kind, results) for kind in ("lines", "branches", "blocks", "functions")]
    rows = [element("div", cards, class_="cards") for cards in (found, covered)]
    return join([*rows, _holes(results), _started(results)])


def _card(name: str, value: str, note: str, kind: str = "") -> Html:
    body = [element("span", name, class_="name"), element("b", value), element("span", note, class_="dim")]
    return element("div", body, class_=f"card {kind}")


def _share(kind: str, results: Results) -> Html:
    covered, total = results.pair(kind)
    share = f"{100 * covered / total:.0f} %" if total else "none"
    body = [
        element("span", kind, class_="name"),
        element("b", share),
        element("meter", value=covered, max=max(total, 1)),
        element("span", f"{covered} of {total} covered", class_="dim"),
    ]
    return element("div", body, class_="card")


def _holes(results: Results) -> Html:
    """Whatever keeps the result from being complete."""
    paths = results.summary.record("paths")
    found = [f"{spoken_count(paths.whole(key))} {what}" for key, what in _HOLES.items() if paths.whole(key)]
    found += [f"{results.summary.whole('limited')} values given up"] if results.summary.whole("limited") else []
    lines = [element("p", element("b", "Left: "), ", ".join(found), ".")] if found else []
    lines += [
        element(
            "p", element("b", "Cut: "), f"{each.whole('paths')} by {each.text('limit')}", _set_by(each.text("option"))
        )
        for each in results.summary.records("cut")
    ]
    lines += [
        element(
            "p",
            element("b", "Not supported: "),
            f"{each.text('what') or each.text('reason')} at {each.text('file')}:{each.whole('line')}",
        )
        for each in results.summary.records("unsupported")
    ]
    lines += [
        element("p", element("b", "Never written: "), _doubt(each)) for each in results.summary.records("uninitialized")
    ]
    return join(lines)


def _set_by(option: str) -> str:
    return f"; {option} sets it" if option else ""


def _doubt(each: Record) -> str:
    said = " at ".join(part for part in (each.text("what"), each.text("place")) if part)
    made = ", ".join(part for part in (each.text("variable"), each.text("made")) if part)
    return f"{said} ({made})" if made else said


def _started(results: Results) -> Html:
    command, options = results.details.record("command"), results.summary.record("options")
    program = command.text("program") or results.summary.text("program")
    words = " ".join([program, *command.texts("arguments")])
    searches = ", ".join(options.texts("search")) or "the default"
    facts = [("program", words), ("search", searches), ("seed", str(options.whole("seed")))]
    facts += [("workers", str(options.whole("workers", 1)))]
    return element("dl", [join([element("dt", name), element("dd", value)]) for name, value in facts], class_="facts")


# ---- progress ----


def progress(results: Results) -> Html:
    seconds = results.summary.number("seconds")
    blocks, branches = _coverage(results)
    states, memory = _load(results)
    covered = [Curve("blocks", blocks, True), Curve("branches", branches, True)]
    figures = [
        chart("Coverage over time", covered, seconds, spoken_count),
        chart("Paths over time", [Curve("paths", _column(results, "paths"))], seconds, spoken_count),
        chart("States over time", [Curve("states", states)], seconds, spoken_count),
        chart("Memory over time", [Curve("resident", memory)], seconds, _megabytes),
    ]
    return element("div", figures, class_="figures")


def _megabytes(size: float) -> str:
    return f"{size:.0f} MB"


def _coverage(results: Results) -> tuple[Series, Series]:
    """Every gain, then the end; a folder without report.json has a point per second."""
    moments = results.details.rows("moments", 6)
    if not moments:
        return _column(results, "blocks"), _column(results, "branches")
    end = results.summary.number("seconds")
    blocks: Series = [(0.0, 0.0), *((m[0], m[1]) for m in moments), (end, float(results.pair("blocks")[0]))]
    branches: Series = [(0.0, 0.0), *((m[0], m[2]) for m in moments), (end, float(results.pair("branches")[0]))]
    return blocks, branches


def _load(results: Results) -> tuple[Series, Series]:
    """States and memory, from both the moments of gains and the lines of stats.csv."""
    moments = results.details.rows("moments", 6)
    states: Series = [(m[0], m[3]) for m in moments]
    memory: Series = [(m[0], m[4] / _MEGABYTE) for m in moments]
    states += [
        (row["seconds"], row.get("states", 0.0) + row.get("open", 0.0)) for row in results.stats if "seconds" in row
    ]
    memory += [(at, size / _MEGABYTE) for at, size in _column(results, "memory_bytes")]
    return sorted(states), sorted(memory)


def _column(results: Results, name: str) -> Series:
    found: Series = [(row["seconds"], row[name]) for row in results.stats if "seconds" in row and name in row]
    return found if name == "memory_bytes" or not found else [(0.0, 0.0), *found]


# ---- solver ----


def solver(results: Results) -> Html:
    answers = results.summary.record("solver")
    layers = answers.record("layers")
    phases = results.summary.record("phases")
    by_layer = [_layer(name, layers.record(name).number("nanoseconds") / 1e9) for name in layers.names()]
    by_phase = [_layer(_PHASES.get(name, name), phases.number(name)) for name in phases.names()]
    figures = [bars("Solver time by layer", by_layer), bars("Time by kind of work", by_phase)]
    counts = [f"{spoken_count(answers.whole(kind))} {name}" for kind, name in _ANSWERS]
    return join([element("p", ", ".join(counts), "."), element("div", figures, class_="figures"), _layers(results)])


def _layer(name: str, seconds: float) -> tuple[str, float, str]:
    return name, seconds, spoken_time(seconds)


def _layers(results: Results) -> Html:
    layers = results.summary.record("solver").record("layers")
    names = ("layer", "asked", "solved", "infeasible", "passed on", "time")
    head = element("tr", [element("th", name, scope="col") for name in names])
    rows: list[Html] = []
    for name in layers.names():
        layer = layers.record(name)
        counts = [spoken_count(layer.whole(key)) for key in ("queries", "sat", "unsat", "unknown")]
        cells = [*counts, spoken_time(layer.number("nanoseconds") / 1e9)]
        rows.append(
            element("tr", element("th", name, scope="row"), [element("td", cell, class_="num") for cell in cells])
        )
    table = element("table", element("thead", head), element("tbody", rows))
    return (
        element("details", element("summary", "All layers"), element("div", table, class_="wide")) if rows else Html("")
    )

"""The errors: what happened, where, how the program got there, with which input, and how to see it again."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Final

from cinquefoil.report.markup import Html, element, join
from cinquefoil.report.reading import Record
from cinquefoil.report.results import Results
from cinquefoil.report.source import SourceView
from cinquefoil.report.tests import objects

_MADE: Final = {"heap": "allocated", "stack": "declared", "global": "defined"}


def error_records(results: Results) -> list[Record]:
    return results.details.records("errors") or results.summary.records("errors")


def errors(results: Results, sources: SourceView) -> Html:
    records = error_records(results)
    for number, record in enumerate(records, 1):
        sources.note_error(record.text("file"), record.whole("line"), number)
    if not records:
        return element("p", "No error was found.", class_="good")
    return join(_error(number, record, results, sources) for number, record in enumerate(records, 1))


def _error(number: int, record: Record, results: Results, sources: SourceView) -> Html:
    file, line = record.text("file"), record.whole("line")
    title = record.text("summary") or f"{record.text('kind')} {record.text('message')}"
    location = join([sources.link(file, line), " in ", element("code", record.text("function"))])
    return element(
        "article",
        element("h3", element("span", f"{number}", class_="count"), title),
        element("p", location, _seen(record)),
        sources.context(file, line),
        _trail(record.record("failure"), sources),
        _test(record, results),
        id=f"e{number}",
        class_="error",
    )


def _seen(record: Record) -> Html:
    seen = record.whole("seen", 1)
    told = [f"{seen} path{'' if seen == 1 else 's'} ended so"]
    if record.flag("after_unsupported"):
        told.append("something that is not supported was met on its path before")
    told.append("confirmed by running it again" if record.flag("confirmed") else "not confirmed by running it again")
    return element("span", " · ".join(["", *told]), class_="dim")


def _trail(failure: Record, sources: SourceView) -> Html:
    locations = [failure.record("where"), *failure.records("called_from")] if failure.has("where") else []
    if not locations:
        return Html("")
    steps = [_step(location, sources) for location in locations]
    return join([element("h4", "Backtrace"), element("ol", steps, class_="trail"), _object(failure, sources)])


def _step(location: Record, sources: SourceView) -> Html:
    where = sources.link(location.text("file"), location.whole("line"))
    content = sources.content(location.text("file"), location.whole("line")).strip()
    code = element("code", content, class_="line") if content else Html("")
    return element("li", element("code", location.text("function") or "?"), " at ", where, code)


def _object(failure: Record, sources: SourceView) -> Html:
    if not failure.has("concerned"):
        return Html("")
    concerned = failure.record("concerned")
    region, name = concerned.text("region"), concerned.text("name")
    parts: list[str] = [f"The {region} object{f' {name}' if name else ''} has {concerned.whole('size')} bytes"]
    if concerned.has("made") and concerned.record("made").text("file"):
        parts += [f", {_MADE.get(region, 'made')} at ", _link(concerned.record("made"), sources)]
    if concerned.has("freed"):
        parts += [", freed at ", _link(concerned.record("freed"), sources)]
    return element("p", parts, ".")


def _link(location: Record, sources: SourceView) -> Html:
    return sources.link(location.text("file"), location.whole("line"))


def _test(record: Record, results: Results) -> Html:
    number = test_number(record)
    name = f"tests/{number:06d}.ktest"
    parts = [element("h4", "Input ", element("small", element("a", f"test {number}", href=f"#t{number}")))]
    parts.append(objects(results.read_test(name)))
    parts += _output(record.text("output"))
    parts.append(element("h4", "See it again"))
    parts.append(element("pre", element("code", "\n".join(commands(results, name)))))
    return join(parts)


def test_number(record: Record) -> int:
    """report.json gives the number, summary.json the file."""
    if not record.is_text("test"):
        return record.whole("test")
    digits = record.text("test").removeprefix("tests/").removesuffix(".ktest")
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 10 else 0


def _output(hexadecimal: str) -> Iterator[Html]:
    try:
        output = bytes.fromhex(hexadecimal)
    except ValueError:
        return
    if output:
        yield element("h4", "Output")
        yield element("pre", output.decode("utf-8", "backslashreplace"))


def commands(results: Results, test: str) -> Iterator[str]:
    """Lines for a shell: the traced run, and the same on a native build."""
    command = results.details.record("command")
    program = command.text("program") or results.summary.text("program")
    if folder := command.text("folder"):
        yield f"cd {shlex.quote(folder)}"
    words = ["cinq", "trace", "--input", str(results.folder.absolute() / test)]
    flags = command.texts("flags")
    words += ["--cflags", shlex.join(flags)] if flags else []
    words += [word for name in command.texts("no_check") for word in ("--no-check", name)]
    words += [word for file in command.texts("files") for word in ("--file", file)]
    words += [word for variable in command.texts("variables") for word in ("--env", variable)]
    yield shlex.join([*words, program])
    if program.endswith((".c", ".i")):
        yield shlex.join(["cinq", "replay", str(results.folder.absolute()), "--sanitize", "address,undefined"])

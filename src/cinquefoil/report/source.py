"""The program's sources, line by line: covered, partly covered, not covered, and by which test first.

A line is partly covered if one of its blocks was not entered or one of its decisions took only some of its directions.
Long programs are cut down to the surroundings of what is interesting: a page must stay readable, and loadable.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Final, cast

from cinquefoil.report.markup import Html, element, join, text, visible
from cinquefoil.report.reading import Record, whole
from cinquefoil.report.results import Results

MOST_LINES: Final = 40_000  # on the page
_AROUND: Final = 12  # lines kept on each side of an interesting one, where not all are
_MOST_DECISIONS: Final = 3  # decisions drawn per line
_MOST_DOTS: Final = 3  # directions of one decision that are drawn one by one
_NEARLY_ALL: Final = 0.95  # of the code, for a folder to go without saying
_LONGEST: Final = 400  # characters of a line


@dataclass(frozen=True, slots=True)
class Decision:
    """A branch or switch; of each direction the line it leads to and the first test that took it, 0 for none."""

    column: int
    kind: str
    directions: tuple[tuple[int, int], ...]

    @property
    def taken(self) -> int:
        return sum(test > 0 for _, test in self.directions)


@dataclass(frozen=True, slots=True)
class SourceLine:
    """Blocks with code of the line, how many of them were entered, the first test that did, and the decisions made."""

    entered: int
    blocks: int
    test: int
    decisions: tuple[Decision, ...] = ()

    @property
    def state(self) -> str:
        if not self.entered:
            return "no"
        all_taken = all(decision.taken == len(decision.directions) for decision in self.decisions)
        return "yes" if self.entered == self.blocks and all_taken else "part"


@dataclass(slots=True)
class SourceFile:
    name: str
    text: list[str] | None
    lines: dict[int, SourceLine]
    functions: tuple[int, int]  # entered, all
    errors: dict[int, int] = field(default_factory=dict[int, int])  # by line, the number of the error there
    marks: set[int] = field(default_factory=set[int])  # lines that other parts of the page point to

    def share(self) -> tuple[int, int]:
        return sum(line.entered > 0 for line in self.lines.values()), len(self.lines)


class SourceView:
    """All files, and links to their lines."""

    def __init__(self, results: Results) -> None:
        self.files = [_file(record) for record in results.details.records("files")]
        self._numbers = {file.name: number for number, file in enumerate(self.files)}
        self._short = short_names({file.name: len(file.lines) for file in self.files})

    def note_error(self, file: str, line: int, error: int) -> None:
        found = self._find(file)
        if found is not None:
            found.errors.setdefault(line, error)

    def link(self, file: str, line: int) -> Html:
        """A link to a line, or its name if the source is not here."""
        known, name = self._find(file), f"{self.short(file)}:{line}" if line else self.short(file)
        if known is None or known.text is None or not 0 < line <= len(known.text):
            return text(name or "unknown location")
        known.marks.add(line)
        return element("a", name, href=f"#f{self._numbers[file]}-{line}")

    def short(self, file: str) -> str:
        return self._short.get(file, file)

    def content(self, file: str, line: int) -> str:
        known = self._find(file)
        lines = known.text if known is not None else None
        return lines[line - 1] if lines and 0 < line <= len(lines) else ""

    def context(self, file: str, line: int, around: int = 4) -> Html:
        """Some lines around one that matters."""
        known = self._find(file)
        if known is None or known.text is None or not 0 < line <= len(known.text):
            return Html("")
        numbers = range(max(1, line - around), min(len(known.text), line + around) + 1)
        rows = [_context_row(number, known.text[number - 1], number == line) for number in numbers]
        return element("div", rows, class_="src context")

    def _find(self, file: str) -> SourceFile | None:
        number = self._numbers.get(file)
        return self.files[number] if number is not None else None

    # ---- listings ----

    def listing(self) -> Html:
        """Every file in a part of its own that opens: those with errors first, then by how much of them was run."""
        room = MOST_LINES
        parts: list[Html] = []
        for number, file in sorted(enumerate(self.files), key=lambda each: _rank(each[1])):
            shown = _chosen(file, room)
            room -= len(shown)
            parts.append(self._section(number, file, shown))
        return join(parts)

    def _section(self, number: int, file: SourceFile, shown: Sequence[int]) -> Html:
        covered, lines = file.share()
        entered, functions = file.functions
        head = element(
            "summary",
            element("code", self.short(file.name)),
            element("meter", value=covered, max=max(lines, 1), title=f"{covered} of {lines} lines"),
            element("span", f"{covered}/{lines} lines, {entered}/{functions} functions", class_="dim"),
        )
        if file.text is None:
            body = element("p", "The source was not found when the exploration ended.", class_="dim")
        else:
            body = element("div", _rows(f"f{number}", file, file.text, shown), class_="src")
        opened = bool(file.errors) or len(self.files) == 1
        return element("details", head, body, id=f"f{number}", class_="file", open=opened)


def _rank(file: SourceFile) -> tuple[int, int, str]:
    return -len(file.errors), -file.share()[0], file.name


def _context_row(number: int, content: str, marked: bool) -> Html:
    body = [element("span", str(number), class_="n"), element("code", _cut(content))]
    return element("div", body, class_="l here" if marked else "l")


def _chosen(file: SourceFile, room: int) -> Sequence[int]:
    """All lines, or, if there is no room, those around what is interesting."""
    total = len(file.text or [])
    if total <= room:
        return range(1, total + 1)
    interesting = {*file.errors, *file.marks, *(n for n, line in file.lines.items() if line.state == "part")}
    near = {n for at in interesting for n in range(at - _AROUND, at + _AROUND + 1) if 0 < n <= total}
    return sorted(near)[: max(room, 0)]


def _rows(prefix: str, file: SourceFile, lines: Sequence[str], shown: Sequence[int]) -> Html:
    """Plain strings here: there may be tens of thousands of lines."""
    found: list[str] = []
    last = 0
    for number in shown:
        if number != last + 1:
            found.append(_gap(number - last - 1))
        found.append(_row(prefix, number, _cut(lines[number - 1]), file))
        last = number
    if last < len(lines):
        found.append(_gap(len(lines) - last))
    return Html("".join(found))


def _gap(lines: int) -> str:
    return f'<div class="gap">{lines} lines not shown</div>'


def _row(prefix: str, number: int, content: str, file: SourceFile) -> str:
    name = f"{prefix}-{number}"
    line, error = file.lines.get(number), file.errors.get(number)
    state = (line.state if line else "") + (" err" if error else "")
    test = _test_link(line.test) if line and line.test else ""
    taken = _dots(line.decisions) if line else ""
    link = f'<a class="e" href="#e{error}">error {error}</a>' if error else ""
    return (
        f'<div class="l {state}" id="{name}"><a class="n" href="#{name}">{number}</a><span class="t">{test}</span>'
        f'<span class="w">{taken}</span><code>{escape(visible(content))}</code>{link}</div>'
    )


def _cut(content: str) -> str:
    return content if len(content) <= _LONGEST else content[:_LONGEST] + " ..."


def _test_link(test: int) -> str:
    return f'<a href="#t{test}" title="first reached by test {test}">{test}</a>'


def _dots(decisions: Sequence[Decision]) -> str:
    drawn = "".join(_decision(decision) for decision in decisions[:_MOST_DECISIONS])
    more = len(decisions) - _MOST_DECISIONS
    return drawn + (f'<span title="{more} more decisions">+</span>' if more > 0 else "")


def _decision(decision: Decision) -> str:
    """A dot per direction, or how many were taken if they are many."""
    if len(decision.directions) <= _MOST_DOTS:
        return "<span>" + "".join(_direction(line, test) for line, test in decision.directions) + "</span>"
    taken, total = decision.taken, len(decision.directions)
    state = "y" if taken == total else "x" if taken == 0 else "h"
    told = "; ".join(
        f"to line {line}: {f'test {test}' if test else 'never'}" for line, test in decision.directions[:40]
    )
    return f'<span class="{state}" title="{taken} of {total} directions taken: {told}">{taken}/{total}</span>'


def _direction(line: int, test: int) -> str:
    """Draws where it leads, not whether the condition is true there: compilers negate conditions as they like."""
    if not test:
        return f'<span class="x" title="to line {line}: never taken">\u25cb</span>'
    return f'<a class="y" href="#t{test}" title="to line {line}: first taken by test {test}">\u25cf</a>'


# ---- reading ----


def _file(record: Record) -> SourceFile:
    decisions = _decisions(record.records("branches"))
    lines = {
        int(number): SourceLine(int(entered), int(blocks), int(test), tuple(decisions.get(int(number), ())))
        for number, entered, blocks, test in record.rows("lines", 4)
    }
    content = record.text("text").split("\n") if record.has("text") else None
    if content and content[-1] == "":
        content.pop()
    functions = [_entered(item, record.where) for item in record.items("functions")]
    return SourceFile(record.text("name"), content, lines, (sum(functions), len(functions)))


def _decisions(records: Iterable[Record]) -> dict[int, list[Decision]]:
    found: defaultdict[int, list[Decision]] = defaultdict(list)
    for record in records:
        ways = tuple((int(line), int(test)) for line, test in record.rows("ways", 2))
        found[record.whole("line")].append(Decision(record.whole("column"), record.text("kind"), ways))
    return {line: sorted(each, key=lambda decision: decision.column) for line, each in found.items()}


def _entered(item: object, where: str) -> bool:
    row = cast("list[object]", item) if isinstance(item, list) else []
    return bool(whole(int(bool(row[1])), where)) if len(row) == 2 else False


def short_names(sizes: Mapping[str, int]) -> dict[str, str]:
    """Names without the folder that nearly all code, counted in lines, lies in; files elsewhere keep theirs."""
    common: list[str] = []
    while (folder := _main_folder(sizes, common)) is not None:
        common.append(folder)
    return {name: "/".join(_normal(below)) if (below := _below(name, common)) else name for name in sizes}


def _main_folder(sizes: Mapping[str, int], common: Sequence[str]) -> str | None:
    inside: Counter[str] = Counter()
    for name, size in sizes.items():
        below = _below(name, common)
        if len(below) > 1:
            inside[below[0]] += size
    if not inside:
        return None
    folder, lines = inside.most_common(1)[0]
    return folder if lines >= _NEARLY_ALL * sum(sizes.values()) else None


def _below(name: str, common: Sequence[str]) -> list[str]:
    """The parts of a name below a folder; none if it is elsewhere."""
    parts = name.split("/")
    return parts[len(common) :] if parts[: len(common)] == list(common) else []


def _normal(parts: Iterable[str]) -> Iterator[str]:
    return (part for part in parts if part not in ("", "."))

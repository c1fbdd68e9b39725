"""On which blocks a branch depends (Empc, Definitions 3 and 4).

Its condition is followed back over definitions and uses.  Data dependence: the blocks that define what it is
made of; a choice of values (phi) is defined where its inputs come from, a value loaded from memory where its
object was last written, the result of a call in the call's block and where the callee makes what it returns,
a parameter where callers make the argument.  Potential dependence: branches that decide whether such a
definition is passed on the way: one can get from them to the branch both through and around it.

The answer for one branch takes time linear in its function's size per variable, and is computed when asked.

Risks: see facts.py for what memory is not told apart, and how far definitions are looked for; calls are followed
DEPTH deep; writes in other functions count wherever they stand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from cinquefoil.analysis.facts import BlockName, FunctionFacts, Object, ProgramFacts, based_on
from cinquefoil.build import bitcode
from cinquefoil.ir.model import Branch, Call, Function, GlobalRef, Load, Local, Module, Phi, Switch, Value
from cinquefoil.ir.parser import parse_module
from cinquefoil.ir.traversal import operands_of, reverse_post_order

DEPTH = 2  # calls followed, up or down
_LOCALS = 80  # looked at per condition
_CALLERS = 8  # call sites looked at per parameter
_WRITERS = 32  # blocks of other functions per object
_INPUTS = 6  # of a choice looked at one by one; more are taken together


def load_dependence(module: Path | None, names: Mapping[int, str]) -> Dependence:
    """The dependence of the program in a bitcode file; `names` are the functions by their entry blocks' sites."""
    parsed = Module() if module is None else parse_module(str(bitcode.read(module)))
    return Dependence(parsed, {name: site for site, name in names.items()})


def block_sites(function: Function, entry: int) -> dict[str, int]:
    """The sites of a function's blocks: they are numbered in reverse post-order from the entry's on."""
    return {label: entry + number for number, label in enumerate(reverse_post_order(function))}


class Dependence:
    """Answers by block site."""

    def __init__(self, module: Module, entries: Mapping[str, int]) -> None:
        self._facts = ProgramFacts(module)
        self._sites: dict[BlockName, int] = {}
        for name, facts in self._facts.functions.items():
            entry = entries.get(name.strip('"'))
            if entry is not None:
                sites = block_sites(facts.function, entry)
                self._sites.update({(name, label): site for label, site in sites.items()})
        self._blocks = {site: block for block, site in self._sites.items()}

    def of(self, branch: int) -> frozenset[int]:
        """The blocks that the branch ending block `branch` depends on, data and potential."""
        data, potential = self.parts(branch)
        return (data | potential) - {branch}

    def parts(self, branch: int) -> tuple[frozenset[int], frozenset[int]]:
        """(data dependence, potential dependence)."""
        block = self._blocks.get(branch)
        if block is None:
            return frozenset(), frozenset()
        name, label = block
        facts = self._facts.functions[name]
        block = next(b for b in facts.function.blocks if b.label == label)
        if not isinstance(block.terminator, Branch | Switch) or not block.terminator.operands:
            return frozenset(), frozenset()
        search = _DependenceSearch(self._facts)
        search.value(facts, label, block.terminator.operands[0], DEPTH)
        return self._to_sites(search.data), self._to_sites(search.potential)

    def _to_sites(self, blocks: Iterable[BlockName]) -> frozenset[int]:
        return frozenset(self._sites[block] for block in blocks if block in self._sites)


class _DependenceSearch:
    """What one condition depends on."""

    def __init__(self, program: ProgramFacts) -> None:
        self._program = program
        self.data: set[BlockName] = set()
        self.potential: set[BlockName] = set()
        self._seen: set[tuple[str, str]] = set()

    def value(self, facts: FunctionFacts, use: str, value: Value, depth: int) -> None:
        """Adds what `value`, used in block `use`, is made of."""
        stack = [value]
        while stack and len(self._seen) < _LOCALS:
            item = stack.pop()
            if not isinstance(item, Local) or (facts.name, item.name) in self._seen:
                continue
            self._seen.add((facts.name, item.name))
            if item.name in facts.parameters:
                self._parameter(facts, item.name, depth)
                continue
            maker = facts.makers[item.name]
            self.data.add((facts.name, facts.made_in[item.name]))
            if isinstance(maker, Load):
                self._load(facts, facts.made_in[item.name], maker, depth)
            elif isinstance(maker, Phi):
                inputs = set(maker.labels)
                apart = [{label} for label in dict.fromkeys(maker.labels)]
                self._defined(facts, use, apart if len(apart) <= _INPUTS else [inputs])
            elif isinstance(maker, Call):
                self._result(maker, depth)
            stack.extend(operands_of(maker))

    def _parameter(self, facts: FunctionFacts, name: str, depth: int) -> None:
        if depth == 0:
            return
        number = facts.parameters[name]
        for caller, label, call in self._program.callers.get(facts.name, [])[:_CALLERS]:
            self.data.add((caller, label))
            if number < len(call.operands):
                self.value(self._program.functions[caller], label, call.operands[number], depth - 1)

    def _result(self, call: Call, depth: int) -> None:
        callee = self._program.functions.get(call.callee.name) if isinstance(call.callee, GlobalRef) else None
        if callee is None or depth == 0:
            return
        for label, value in callee.returns:
            self.data.add((callee.name, label))
            self.value(callee, label, value, depth - 1)

    def _load(self, facts: FunctionFacts, use: str, load: Load, depth: int) -> None:
        found = based_on(facts, load.operands[0])
        if found is None:
            return
        if found in facts.writes:
            self._defined(facts, use, [facts.writes[found]])
        for written in (found, *self._passed(facts, found, depth)):
            others = [block for block in self._program.writers.get(written, []) if block[0] != facts.name]
            self.data.update(others[:_WRITERS])

    def _passed(self, facts: FunctionFacts, found: Object, depth: int) -> list[Object]:
        """The objects that callers pass for a pointer parameter."""
        if depth == 0 or found[0] != facts.name or found[1] not in facts.parameters:
            return []
        number = facts.parameters[found[1]]
        calls = self._program.callers.get(facts.name, [])[:_CALLERS]
        arguments = [(f, call.operands[number]) for f, _, call in calls if number < len(call.operands)]
        objects = (based_on(self._program.functions[caller], argument) for caller, argument in arguments)
        return [each for each in objects if each is not None]

    def _defined(self, facts: FunctionFacts, use: str, variables: list[set[str]]) -> None:
        """Each variable is given by the blocks that define it; `use` reads it."""
        for blocks in variables:
            data, potential = facts.reaching(use, frozenset(blocks))
            self.data.update((facts.name, label) for label in data)
            self.potential.update((facts.name, label) for label in potential)

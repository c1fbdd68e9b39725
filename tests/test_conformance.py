"""Everything that is registered keeps the rules of its kind (`cinquefoil.testing`)."""

from __future__ import annotations

import pytest

from cinquefoil import prune, search
from cinquefoil.exploration.mutations import registry as mutators
from cinquefoil.report.export import registry as formats
from cinquefoil.solver import registry as layers
from cinquefoil.testing import FORMAT_RULES, LAYER_RULES, MUTATOR_RULES, PRUNER_RULES, SEARCHER_RULES, Rule

STRATEGIES = [*search.names(), "sgs:1", "sgs:2", "sgs:4:latest", "dfs+bfs", "random-path+nurs:covnew+sgs:2"]


def called(rule: Rule) -> str:
    return rule.__name__


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize("rule", SEARCHER_RULES, ids=called)
def test_search_strategies(rule: Rule, name: str) -> None:
    rule(name)


@pytest.mark.parametrize("name", prune.names())
@pytest.mark.parametrize("rule", PRUNER_RULES, ids=called)
def test_pruners(rule: Rule, name: str) -> None:
    rule(name)


@pytest.mark.parametrize("name", layers.names())
@pytest.mark.parametrize("rule", LAYER_RULES, ids=called)
def test_solver_layers(rule: Rule, name: str) -> None:
    rule(name)


@pytest.mark.parametrize("name", mutators.names())
@pytest.mark.parametrize("rule", MUTATOR_RULES, ids=called)
def test_mutators(rule: Rule, name: str) -> None:
    rule(name)


@pytest.mark.parametrize("name", formats.names())
@pytest.mark.parametrize("rule", FORMAT_RULES, ids=called)
def test_report_formats(rule: Rule, name: str) -> None:
    rule(name)

"""`cinq compare`: strategies on programs, with seeds and budgets, run in parallel and judged."""

from __future__ import annotations

import signal
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from cinquefoil.cli.compare_view import CompareView
from cinquefoil.cli.plugin import plugin_option
from cinquefoil.cli.say import say
from cinquefoil.cli.units import duration, size
from cinquefoil.errors import UserError
from cinquefoil.experiment import budget as budgets
from cinquefoil.experiment import preset as presets
from cinquefoil.experiment import standard_tables, views
from cinquefoil.experiment.comparison import Comparison
from cinquefoil.experiment.configuration import parse_configurations
from cinquefoil.experiment.data_table import Table
from cinquefoil.experiment.execute import STEPS
from cinquefoil.experiment.output import as_texts, write
from cinquefoil.experiment.plan import Plan
from cinquefoil.experiment.preset import Preset
from cinquefoil.experiment.recipes import located
from cinquefoil.experiment.result import MEASURES
from cinquefoil.experiment.schedule import Scheduler, cores
from cinquefoil.experiment.store import ResultStore
from cinquefoil.experiment.subject import Locate, chained, parse_subjects, read_catalogue

_OK, _FAILED, _INTERRUPTED = 0, 1, 130
_COUNT = click.IntRange(min=1)


def _list_presets(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        for name in presets.names():
            say(f"{name}: {presets.load(name).title}")
        ctx.exit()


_NOTHING = "name programs and configurations (-c), or a --preset; see cinq compare --help"


@click.command()
@click.argument("programs", nargs=-1, metavar="[PROGRAM]...")
@click.option("-c", "--config", "configs", multiple=True, metavar="CONFIG", help="A configuration.  Repeatable.")
@click.option("--preset", metavar="NAME", help="An experiment of a paper; --list-presets shows them.")
@click.option(
    "--list-presets", is_flag=True, is_eager=True, expose_value=False, callback=_list_presets, help="And end."
)
@click.option("--only", multiple=True, metavar="SUBJECT", help="Of a preset, only these subjects.  Repeatable.")
@click.option(
    "--budget",
    "--scale",
    "times",
    type=duration,
    multiple=True,
    metavar="TIME",
    help="Of each run.  Repeatable.  [default: 10s]",
)
@click.option("--total", type=duration, metavar="TIME", help="Choose the budget so that all takes about this long.")
@click.option("--seeds", type=_COUNT, metavar="N", help="Seeds 1 to N.  [default: 3]")
@click.option("--measure", type=click.Choice(MEASURES), help="What is compared.  [default: blocks]")
@click.option("--baseline", metavar="CONFIG", help="The others are tested against it.  [default: the first]")
@click.option("--clock", type=click.Choice(["wall", "cpu"]), help="What budgets count.  [default: wall]")
@click.option("--memory", type=size, metavar="SIZE", default="2G", show_default=True, help="Of each run.")
@click.option("--jobs", type=_COUNT, metavar="N", help="Runs at a time.  [default: the number of processors]")
@click.option("--measure-also", "steps", type=click.Choice(list(STEPS)), multiple=True, help="After each run.")
@click.option("--catalogue", type=click.Path(path_type=Path), help="A TOML file that names programs.")
@click.option("--cells", type=click.Path(path_type=Path), help="Share finished runs with others that name this folder.")
@plugin_option
@click.option("--retry", is_flag=True, help="Repeat failed cells.")
@click.option("--keep", is_flag=True, help="Keep the runs' own output folders.")
@click.option("--no-run", is_flag=True, help="Only show what is finished.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Folder.  [default: cinq-compare or -PRESET]")
def compare(
    programs: tuple[str, ...],
    configs: tuple[str, ...],
    preset: str | None,
    only: tuple[str, ...],
    times: tuple[float, ...],
    total: float | None,
    seeds: int | None,
    measure: str | None,
    baseline: str | None,
    clock: str | None,
    memory: int,
    jobs: int | None,
    steps: tuple[str, ...],
    catalogue: Path | None,
    cells: Path | None,
    plugins: tuple[Path, ...],
    retry: bool,
    keep: bool,
    no_run: bool,
    output: Path | None,
) -> int:
    """Run every configuration on every program with every seed and budget, and compare.

    PROGRAM is one quoted command line ("prog.bc --sym-stdin 8"), or the name of a subject (cinq subjects list).
    CONFIG is a string of options of cinq run.  Short forms: empc means --search empc, bfs+homi means --search bfs
    --prune homi, default means none; options may follow (sgs:4 --prune homi), NAME= in front gives a name.

    Finished runs stay in the output folder: the same command, or only -o FOLDER, goes on where it was stopped.
    index.html, cells.csv and summary.csv there hold the results.

    Exit status: 0, or 1 if runs failed, 130 interrupted (finished runs are kept).
    """
    chosen = presets.load(preset) if preset else None
    locate = chained(read_catalogue(catalogue), located) if catalogue else located
    jobs = jobs or cores()
    folder = output or Path(f"cinq-compare-{preset}" if preset else "cinq-compare")
    named: Plan | None = None
    if chosen is not None:
        named = _preset_plan(chosen, locate, only)
    elif programs or configs:
        named = Plan(parse_subjects(programs, locate), parse_configurations(configs), measure=measure or "blocks")
    elif not folder.is_dir():
        raise UserError(_NOTHING)
    store = ResultStore(folder, cells)
    with store.locked():
        earlier = store.load_plan()
        plan = named or earlier
        if plan is None:
            raise UserError(_NOTHING)
        chosen = chosen or (presets.load(plan.preset) if plan.preset else None)
        plan = replace(
            plan,
            seeds=tuple(range(1, seeds + 1)) if seeds else plan.seeds,
            budgets=times or plan.budgets,
            measure=measure or plan.measure,
            baseline=baseline or plan.baseline,
            clock=clock or plan.clock,
            memory=memory,
            plugins=tuple(str(file.absolute()) for file in plugins) or plan.plugins,
        )
        plan = _with_steps(plan, steps)
        plan = _within(plan, total, jobs, earlier)
        store.save_plan(plan)
        deadline = time.monotonic() + total if total else None
        return _compare(plan, chosen, store, Scheduler(store, jobs, retry, keep, deadline), no_run)


def _preset_plan(preset: Preset, locate: Locate, only: Sequence[str]) -> Plan:
    subjects, absent = presets.subjects_of(preset, locate, only)
    if absent:
        say(f"not built, left out (cinq subjects build NAME): {', '.join(absent)}", err=True)
    if not subjects:
        raise UserError(f"none of the subjects of {preset.name} is built; see cinq subjects build")
    return Plan(
        subjects,
        preset.configurations,
        tuple(range(1, preset.seeds + 1)),
        (preset.scale,),
        preset.measure,
        preset.baseline,
        preset.clock,
        steps=preset.steps,
        preset=preset.name,
    )


def _with_steps(plan: Plan, wanted: Sequence[str]) -> Plan:
    """Measures that are taken after the run need their step; one that the plan has keeps its options."""
    implied = [step for step in STEPS if plan.measure.startswith(step)]
    present = {step.split()[0] for step in plan.steps}
    added = [step for step in dict.fromkeys([*wanted, *implied]) if step not in present]
    return replace(plan, steps=(*plan.steps, *added))


def _within(plan: Plan, total: float | None, jobs: int, earlier: Plan | None) -> Plan:
    """The budget for a total time; that of an earlier start in this folder, if it was for the same."""
    if total is None:
        return plan
    if earlier is not None and replace(earlier, budgets=plan.budgets) == plan:
        return earlier
    found = replace(plan, budgets=(budgets.divide(total, plan, jobs),))
    say(f"{found.budgets[0]:g} s per run", err=True)
    return found


def _compare(plan: Plan, preset: Preset | None, store: ResultStore, scheduler: Scheduler, no_run: bool) -> int:
    comparison = Comparison(plan)
    interrupted = False
    if no_run:
        comparison.load(scheduler)
    else:
        interrupted = _run(comparison, scheduler)
    found = _tables(comparison, preset)
    notes = _notes(comparison, preset)
    title = preset.title if preset else "Comparison"
    write(store, title, comparison, found, notes)
    say("\n".join([title, *notes, "", as_texts(found), "", f"{store.folder / 'index.html'}"]))
    if interrupted:
        say(f"interrupted; cinq compare -o {store.folder} goes on", err=True)
        return _INTERRUPTED
    return _FAILED if comparison.failures() else _OK


def _run(comparison: Comparison, scheduler: Scheduler) -> bool:
    """True if it was interrupted."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with CompareView(comparison, scheduler) as view:
            scheduler.tell = view.tell
            comparison.run(scheduler)
        return False
    except KeyboardInterrupt:
        comparison.load(scheduler)
        return True
    finally:
        signal.signal(signal.SIGTERM, before)


def _tables(comparison: Comparison, preset: Preset | None) -> list[Table]:
    special = list(views.tables(comparison, preset)) if preset else []
    return [*special, *standard_tables.standard(comparison)]


def _notes(comparison: Comparison, preset: Preset | None) -> list[str]:
    plan = comparison.plan
    missing = len(comparison.cells()) - len(comparison.results)
    notes = [f"{missing} runs are missing." if missing > 1 else "1 run is missing."] if missing > 0 else []
    if preset is not None:
        notes.append(presets.scaling(preset, plan.budgets[0], len(plan.seeds), len(plan.subjects)))
        notes += [f"Paper: {fact}" for fact in preset.facts]
    return notes

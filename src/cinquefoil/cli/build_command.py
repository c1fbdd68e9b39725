"""`cinq build`: C sources and bitcode to one whole-program bitcode file."""

from __future__ import annotations

from pathlib import Path

import click


class _FlagsAfterDashes(click.Command):
    """Everything after `--` belongs to the compiler."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        at = args.index("--") if "--" in args else len(args)
        ctx.meta["flags"] = args[at + 1 :]
        return super().parse_args(ctx, args[:at])

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        return [*super().collect_usage_pieces(ctx), "[-- CFLAGS...]"]


@click.command(cls=_FlagsAfterDashes)
@click.argument("sources", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Default: the first source's name, as .bc.",
)
@click.pass_context
def build(ctx: click.Context, sources: tuple[Path, ...], output: Path | None) -> None:
    """Compile and link SOURCES (.c, .i, .bc, .ll, bitcode .a) to one bitcode file, without an executable.

    CFLAGS go to clang for every source, such as -I, -D, -std or -O2 (which loses the bugs it exploits).
    """
    from cinquefoil.build.driver import build_main
    from cinquefoil.cli.paths import check_output

    target = output or Path(sources[0].stem + ".bc")
    check_output(target, sources)
    build_main(sources, target, ctx.meta["flags"])

"""Large programs are explored at once, with code that is quick to generate; better code is made for the next time.

Generating code at level 0 takes a ninth of the time of level 1; exploring with it is up to 20 % slower.  What a program
does is the same, and so are the tests of a run that ends by itself."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, nullcontext

from cinquefoil.build.child import Beside, die_with_parent
from cinquefoil.build.program import LinkedProgram
from cinquefoil.machine.image import Image, build_image, own_options
from cinquefoil.machine.objects import ObjectRequest, Progress, is_cached, traced_object

LARGE = 300_000  # bytes of bitcode: better code for them takes about two seconds
_LEAST_PRIORITY = 19


def image_to_begin_with(
    program: LinkedProgram, *, overshift: bool, progress: Progress | None
) -> tuple[Image, AbstractContextManager[object]]:
    """The best image that is quick to have, and what makes better code for the next time while it is entered."""
    request = ObjectRequest(program.module_bitcode, own_options(overshift))
    if program.module_bitcode.stat().st_size < LARGE or is_cached(request):
        return build_image(program, blocks=True, overshift=overshift, progress=progress), nullcontext()
    image = build_image(program, blocks=True, overshift=overshift, level=0, progress=progress)
    return image, Beside(lambda: _make_in_background(request), "the program")


def _make_in_background(request: ObjectRequest) -> None:
    """Only when nobody else needs the processor, and not longer than the engine lives."""
    die_with_parent()
    os.nice(_LEAST_PRIORITY)
    traced_object(request)

"""The tracing rewrite: IR in, IR that records what depends on the input out."""

from cinquefoil.transform.instrument.module import TracedModule, instrument
from cinquefoil.transform.instrument.options import InstrumentOptions

__all__ = ["InstrumentOptions", "TracedModule", "instrument"]

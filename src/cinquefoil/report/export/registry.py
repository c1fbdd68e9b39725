"""Report formats by name (see `cinquefoil.registry`); entry points are of group `cinquefoil.formats`."""

from __future__ import annotations

from cinquefoil.registry import Registry
from cinquefoil.report.export.format import Format

REGISTRY: Registry[Format] = Registry(
    "report format",
    "cinquefoil.formats",
    {
        "test-comp": "cinquefoil.report.export.testcomp_format:TestCompFormat",
        "corpus": "cinquefoil.report.export.corpus_format:CorpusFormat",
        "c": "cinquefoil.report.export.csource:CTests",
        "sarif": "cinquefoil.report.export.sarif:Sarif",
        "lcov": "cinquefoil.report.export.lcov:Lcov",
    },
)
register_format = REGISTRY.register
names = REGISTRY.names
make = REGISTRY.make

"""Path conditions of many runs read together are those read one by one."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cinquefoil.exploration.pruning.conditions import first_met
from cinquefoil.prune.features import CoreReader

paths = st.lists(st.lists(st.integers(0, 5), max_size=12), min_size=1, max_size=6)


@given(paths)
def test_conditions_count_where_each_path_meets_them_first(codes: list[list[int]]) -> None:
    columns = [np.array(each, np.int32) for each in codes]
    found = first_met(np.concatenate(columns), np.cumsum([len(each) for each in columns]))
    assert len(found) == len(columns)
    for conditions, column in zip(found, columns, strict=True):
        alone = CoreReader.conditions(column)
        assert conditions.positions.tolist() == alone.positions.tolist()
        assert conditions.codes.tolist() == alone.codes.tolist()

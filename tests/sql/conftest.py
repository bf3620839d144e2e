"""What tests of single SQL files share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.sql.rows import Rows, empty_rows


@pytest.fixture
def rows(tmp_path) -> Iterator[Rows]:
    """An empty warehouse, to be filled by hand."""
    with empty_rows(tmp_path) as found:
        yield found

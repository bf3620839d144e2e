"""The sample says what it lacks."""

from __future__ import annotations

import pytest

from flows.sources.interface import SourceError
from flows.sources.sample import SampleSource


def test_the_sample_says_when_its_facts_are_missing(tmp_path):
    with pytest.raises(SourceError, match="reinstall"):
        SampleSource(tmp_path).revisions([])

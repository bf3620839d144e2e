"""Which of several samples of a problem counts."""

from __future__ import annotations

import pytest

from tests.transforms.score.made_up import LEVEL, sample
from transforms.score.samples import chosen_samples

THREE = [
    sample(1, None, correct=False, sample_id=0),
    sample(1, 3.0, sample_id=1),
    sample(1, 2.0, sample_id=2),
    sample(2, None, correct=False, compiled=False, sample_id=0),
    sample(2, None, correct=False, sample_id=5),
]


@pytest.mark.parametrize(
    ("which", "one", "two"), [("first", 0, 0), ("best", 2, 5), ("1", 1, None), ("5", None, 5), ("9", None, None)]
)
def test_the_first_the_best_or_one_by_its_number(which, one, two):
    found = chosen_samples(THREE, which)
    assert [found[LEVEL, n].sample_id if (LEVEL, n) in found else None for n in (1, 2)] == [one, two]


def test_another_word_is_refused():
    with pytest.raises(ValueError, match="worst: not a sample"):
        chosen_samples(THREE, "worst")

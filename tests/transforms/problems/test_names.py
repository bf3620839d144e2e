"""Titles and families, from file names alone (DESIGN.md, section 6)."""

from __future__ import annotations

import pytest

from transforms.problems.names import family, title


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("7_Tall_matmul.py", "Tall matmul"),
        ("12_Diagonal__matmul_.py", "Diagonal matmul"),
        ("3_3D_sum.py", "3D sum"),
        ("9_ReLU", "ReLU"),
        ("Unnumbered_net.py", "Unnumbered net"),
    ],
)
def test_a_title_is_the_file_name_in_words(file, expected):
    assert title(file) == expected


@pytest.mark.parametrize(
    ("level", "file", "expected"),
    [
        ("level3", "1_matmul_net.py", "model"),
        ("level1", "1_matmul_net.py", "gemm"),
        ("level2", "2_Conv2d_ReLU.py", "conv"),
        ("level2", "3_ReLU_Conv2d.py", "activation"),
        ("level1", "4_FrobeniusNorm_.py", "normalization"),
        ("level1", "5_LayerNorm.py", "layernorm"),
        ("level1", "6_BMM.py", "gemm"),
        ("level1", "7_Summit.py", "other"),
        ("level1", "8_Sum_over_a_dimension.py", "reduction"),
        ("level1", "9_KLDistance.py", "kl-divergence"),
        ("level1", "10_LogSoftmax.py", "softmax"),
        ("level1", "11_weekly.py", "other"),
        ("level4", "12_scaled-attention.py", "attention"),
    ],
)
def test_a_family_is_that_of_the_first_word_that_a_row_knows(level, file, expected):
    assert family(level, file) == expected

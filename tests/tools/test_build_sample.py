"""The sample is built from repositories, the same each time, small, and holds facts of them but no text."""

from __future__ import annotations

import gzip
import io
from contextlib import closing
from pathlib import Path

import polars as pl
import pytest

from flows.sequence import Directly, ingest
from flows.sources.sample import SAMPLE_TABLES, SHIPPED, SampleSource, every_lineage
from tests.histories import LAB, GitHistory, ingest_git, module, module_path, query, timing_path, timings
from tools.build_sample import build
from transforms.registry import lineages, repository
from warehouse.home import Home

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "facts"
RELU, TANH = module_path("19_ReLU.py"), module_path("22_Tanh.py")
FORK = "fork/x"


@pytest.fixture
def history(tmp_path) -> GitHistory:
    """One host, measured twice, one entry left null, a module that is not Python; a head that only changes a module."""
    made = GitHistory(tmp_path / "history")
    files = {timing_path(): timings(n19_ReLU=1.5, n22_Tanh=None), RELU: module("ReLU"), TANH: "not python"}
    made.commit("2025-01-01", {**files, "requirements.txt": "torch==2.5.0\n"})
    made.commit("2025-02-01", {timing_path(): timings(n19_ReLU=1.25, n22_Tanh=None)})
    made.commit("2025-03-01", {RELU: module("ReLU", body="torch.clamp(x, 0)")})
    return made


@pytest.fixture
def fork(tmp_path) -> GitHistory:
    """Another repository, which keeps its files below a folder and says more of an entry than upstream does."""
    made = GitHistory(tmp_path / "fork")
    told = '{"level1": {"19_ReLU.py": {"error": "out of memory", "gpu_type": "AMD GPU"}}, "level2": {}}'
    made.commit("2025-04-01", {f"bench/{timing_path()}": told, f"bench/{RELU}": module("ReLU")})
    return made


def test_a_lineage_of_a_sample_gives_the_tables_that_its_repository_gives(tmp_path, history, fork, home):
    build({LAB: str(history.path), FORK: str(fork.path)}, tmp_path / "sample")
    sample = Home(tmp_path / "from-sample")
    for lineage, repository_of_it in ((LAB, history), (FORK, fork)):
        with closing(SampleSource(tmp_path / "sample", lineage)) as source:
            ingest(sample, source, Directly())
        ingest_git(home, repository_of_it, name=lineage)
    for table in (
        "sources",
        "revisions",
        "runs",
        "presence",
        "quarantine",
        "problems",
        "problem_codes",
        "environments",
    ):
        rows = f"from {table} order by all"
        assert query(sample, rows) == query(home, rows), table
    own = "select mean_ns, present, observed_at::varchar from runs order by observed_at"
    assert query(sample, own) == [(1_500_000, False, "2025-01-01 00:00:00"), (1_250_000, True, "2025-02-01 00:00:00")]
    refused = "select source, reason, problem_key from quarantine order by all"
    assert (LAB, "not_measured", "22_Tanh.py") in query(sample, refused)
    assert [source for source, _, key in query(sample, refused) if key == "19_ReLU.py"] == [FORK]


def test_equal_repositories_give_equal_files(tmp_path, history, fork):
    for name in ("one", "two"):
        build({LAB: str(history.path), FORK: str(fork.path)}, tmp_path / name)
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()


def test_what_facts_cannot_say_is_not_built(tmp_path, history):
    """A figure that is text: the columns of facts hold numbers."""
    history.commit("2025-05-01", {timing_path("L40S_lab"): '{"level1": {"19_ReLU.py": {"mean": "1.5"}}}'})
    with pytest.raises(Exception, match="DataFrames are different"):
        build({LAB: str(history.path)}, tmp_path / "sample")
    assert not (tmp_path / "sample").exists()


def test_every_lineage_that_the_registry_says_ships_does():
    shipped = [repository(one.source) for one in lineages().values() if one.ships_in_sample]
    assert sorted(every_lineage()) == sorted(shipped)
    assert every_lineage()[0] == "ScalingIntelligence/KernelBench"


def test_the_shipped_sample_is_small_and_carries_the_licence_of_every_lineage():
    assert sum(path.stat().st_size for path in SHIPPED.iterdir()) < 3_000_000
    licence = " ".join((SHIPPED / "LICENSE").read_text(encoding="utf-8").split())
    assert "MIT License" in licence
    for one in lineages().values():
        if one.ships_in_sample:
            assert f"https://github.com/{repository(one.source)}" in licence
            assert one.copyright in licence


def test_the_shipped_sample_holds_facts_and_no_module_text():
    facts = "\n".join(pl.read_parquet(SHIPPED / "problems.parquet")["facts"])
    for word in ("import torch", "class Model", "def forward", "nn.Module"):
        assert word not in facts


@pytest.mark.skipif(not SHARED.exists(), reason="LOUD: ../shared is absent, the shipped sample is not compared with it")
def test_the_figures_of_upstream_are_those_that_were_read_before_by_other_means():
    columns = {name: kind for name, kind in SAMPLE_TABLES["timings"].items() if name != "more"}
    told = pl.read_csv(io.BytesIO(gzip.decompress((SHARED / "timings.csv.gz").read_bytes())), schema=columns)
    shipped = pl.read_parquet(SHIPPED / "timings.parquet").filter(pl.col("blob").is_in(told["blob"].unique().implode()))
    assert shipped.drop("more").sort(*columns).equals(told.sort(*columns))

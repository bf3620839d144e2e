"""The sample is built from facts, the same each time, small, and holds no text of upstream's."""

from __future__ import annotations

import csv
import gzip
import json
from contextlib import closing
from pathlib import Path

import polars as pl
import pytest

from flows.sequence import Directly, ingest
from flows.sources.sample import SampleSource
from tests.histories import figures, module, query
from tools.build_sample import SHIPPED, build
from transforms.problems.reader import read_module
from warehouse.home import Home

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "facts"
RELU = "19_ReLU.py"


def write_facts(folder: Path) -> Path:
    """Facts of a made history: one host, measured twice, one entry left null."""
    folder.mkdir()
    reading = read_module(module("ReLU").encode(), "level1", RELU)
    assert reading.problem is not None
    revisions = [
        {"revision": f"{n:040x}", "committed_at": f"2025-0{n}-01T00:00:00-08:00", "requirements_torch": "torch==2.5.0",
         "readme_torch": "2.5.0+cu124", "readme_cuda": "12.4"}
        for n in (1, 2)
    ]  # fmt: skip
    (folder / "revisions.json").write_text(json.dumps(revisions))
    blobs = {"a" * 40: 1.5, "b" * 40: 1.25}
    with gzip.open(folder / "trees.csv.gz", "wt") as file:
        writer = csv.writer(file)
        writer.writerow(("revision", "path", "blob"))
        for row, blob in zip(revisions, blobs, strict=True):
            writer.writerow((row["revision"], "results/timing/H100_lab/baseline_time_torch.json", blob))
            writer.writerow((row["revision"], f"KernelBench/level1/{RELU}", "c" * 40))
    with gzip.open(folder / "timings.csv.gz", "wt") as file:
        writer = csv.writer(file)
        columns = ("mean", "std", "min", "max", "num_trials", "hardware", "device")
        writer.writerow(("blob", "level", "key", *columns))
        for blob, mean in blobs.items():
            entry = figures(mean)
            writer.writerow((blob, "level1", RELU, *(entry[name] for name in columns)))
            writer.writerow((blob, "level1", "22_Tanh.py", *[""] * len(columns)))
    with gzip.open(folder / "problems.jsonl.gz", "wt") as file:
        facts = {"sha256": reading.sha256, "size_bytes": reading.size_bytes, "code_digest": reading.code_digest}
        file.write(
            json.dumps({"blob": "c" * 40, "level": "level1", "file": RELU, **facts, **reading.problem.as_json()})
        )
    return folder


def test_a_sample_of_ones_own_facts_is_ingested_as_any_source(tmp_path):
    build(write_facts(tmp_path / "facts"), tmp_path / "sample")
    home = Home(tmp_path / "home")
    with closing(SampleSource(tmp_path / "sample", name="lab/x")) as source:
        ingest(home, source, Directly())
    rows = query(home, "select mean_ns, present, observed_at::varchar, eligible from runs order by observed_at")
    assert rows == [(1_500_000, False, "2025-01-01 08:00:00", True), (1_250_000, True, "2025-02-01 08:00:00", True)]
    assert query(home, "select reason, problem_key from quarantine") == [("not_measured", "22_Tanh.py")]
    declared = query(home, "select distinct requirements_torch, readme_torch, readme_cuda from revisions")
    assert declared == [("torch==2.5.0", "2.5.0+cu124", "12.4")]


def test_equal_facts_give_equal_files(tmp_path):
    facts = write_facts(tmp_path / "facts")
    for name in ("one", "two"):
        build(facts, tmp_path / name)
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()


def test_the_shipped_sample_is_small_and_carries_its_licence():
    assert sum(path.stat().st_size for path in SHIPPED.iterdir()) < 1_000_000
    licence = (SHIPPED / "LICENSE").read_text(encoding="utf-8")
    assert "MIT License" in licence
    assert "2023 Anne Ouyang, Simon Guo, Azalia Mirhoseini" in licence


def test_the_shipped_sample_holds_facts_and_no_module_text():
    facts = "\n".join(pl.read_parquet(SHIPPED / "problems.parquet")["facts"])
    for word in ("import torch", "class Model", "def forward", "nn.Module"):
        assert word not in facts


@pytest.mark.skipif(not SHARED.exists(), reason="LOUD: ../shared is absent, the shipped sample is not compared with it")
def test_the_shipped_sample_is_that_of_the_shared_facts(tmp_path):
    build(SHARED, tmp_path / "again")
    for path in (tmp_path / "again").iterdir():
        assert pl.read_parquet(path).equals(pl.read_parquet(SHIPPED / path.name)), path.name

"""Build the shipped sample from a folder of facts: ``python tools/build_sample.py FACTS [--to DIR]``.

FACTS holds ``revisions.json``, ``trees.csv.gz``, ``timings.csv.gz``, ``problems.jsonl.gz``. Only facts go into the
sample: no module text, no timing file. What its modules cost is no part of it: see ``tools/build_costs.py``.
"""

from __future__ import annotations

import argparse
import gzip
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars as pl

SHIPPED = Path(__file__).resolve().parent.parent / "flows" / "sources" / "sample_data"
_TEXT = pl.String
_TIMING_SCHEMA: dict[str, Any] = {
    "blob": _TEXT,
    "level": _TEXT,
    "key": _TEXT,
    "mean": pl.Float64,
    "std": pl.Float64,
    "min": pl.Float64,
    "max": pl.Float64,
    "num_trials": pl.Int64,
    "hardware": _TEXT,
    "device": _TEXT,
}
_REVISION_SCHEMA: dict[str, Any] = {
    "position": pl.Int64,
    "revision": _TEXT,
    "committed_at": pl.Datetime("us"),
    "requirements_torch": _TEXT,
    "readme_torch": _TEXT,
    "readme_cuda": _TEXT,
}
_STATED = ("sha256", "size_bytes", "code_digest", "compute_digest", "inputs", "axes", "scalars", "init")


def build(facts: Path, target: Path) -> None:
    """Write the sample's Parquet files, sorted and compressed, so that equal facts give equal files."""
    target.mkdir(parents=True, exist_ok=True)
    _write(_revisions(facts), target / "revisions.parquet")
    trees = pl.read_csv(facts / "trees.csv.gz", schema=dict.fromkeys(("revision", "path", "blob"), _TEXT))
    _write(trees.sort("revision", "path"), target / "trees.parquet")
    _write(pl.read_csv(facts / "timings.csv.gz", schema=_TIMING_SCHEMA), target / "timings.parquet")
    _write(_problems(facts), target / "problems.parquet")


def _revisions(facts: Path) -> pl.DataFrame:
    rows = [
        (
            position,
            row["revision"],
            datetime.fromisoformat(row["committed_at"]).astimezone(UTC).replace(tzinfo=None),
            row["requirements_torch"],
            row["readme_torch"],
            row["readme_cuda"],
        )
        for position, row in enumerate(json.loads((facts / "revisions.json").read_text(encoding="utf-8")))
    ]
    return pl.DataFrame(rows, schema=_REVISION_SCHEMA, orient="row")


def _problems(facts: Path) -> pl.DataFrame:
    rows = []
    with gzip.open(facts / "problems.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            stated = {name: row[name] for name in _STATED}
            rows.append((row["blob"], json.dumps(stated, separators=(",", ":"), ensure_ascii=False)))
    return pl.DataFrame(rows, schema={"blob": _TEXT, "facts": _TEXT}, orient="row").unique("blob").sort("blob")


def _write(frame: pl.DataFrame, path: Path) -> None:
    frame.write_parquet(path, compression="zstd", compression_level=19, statistics=False)


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("facts", type=Path)
    parser.add_argument("--to", type=Path, default=SHIPPED)
    arguments = parser.parse_args()
    build(arguments.facts, arguments.to)
    for path in sorted(arguments.to.glob("*.parquet")):
        print(f"{path.stat().st_size:>9,} bytes  {path.name}")


if __name__ == "__main__":
    main()

"""Build the registry's costs of modules from a folder of facts: ``python -m tools.build_costs FACTS``.

FACTS holds ``costs.csv`` (what tracing gave, by blob) and ``problems.jsonl.gz`` (the code digest of each blob). Blobs
that differ in comments only have one code, so one cost.
"""

from __future__ import annotations

import argparse
import gzip
import json
from pathlib import Path

import polars as pl

from transforms.registry import source

TARGET = Path(__file__).resolve().parent.parent / "transforms" / "registry" / "costs.csv"
_COSTS = ("flops", "parameter_bytes", "input_bytes", "output_bytes", "not_traced")


def costs_csv(facts: Path) -> str:
    """The file's text; raises ValueError where one code was traced to different costs."""
    codes = _codes(facts)
    traced = pl.read_csv(facts / "costs.csv").with_columns(code_digest=pl.col("blob").replace_strict(codes))
    costs = traced.select("code_digest", *_COSTS).unique().sort("code_digest")
    if costs["code_digest"].n_unique() < costs.height:
        raise ValueError(f"{facts / 'costs.csv'}: one code has several costs")
    return "".join(f"# {line}\n" for line in _note()) + costs.write_csv()


def _codes(facts: Path) -> dict[str, str]:
    with gzip.open(facts / "problems.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return {row["blob"]: row["code_digest"] for row in rows}


def _note() -> list[str]:
    told = source()
    return [
        "One forward pass of each KernelBench module, traced on torch's meta device: floating-point operations (a",
        "multiply-add as two) and bytes, by the digest of its code. Written by tools/build_costs.py.",
        f"Facts of modules of https://github.com/{told.source}, {told.licence} licence, copyright (c)",
        f"{told.copyright}; the licence stands in flows/sources/sample_data/LICENSE.",
    ]


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("facts", type=Path)
    parser.add_argument("--to", type=Path, default=TARGET)
    arguments = parser.parse_args()
    arguments.to.write_text(costs_csv(arguments.facts), encoding="utf-8")
    print(f"{arguments.to.stat().st_size:>9,} bytes  {arguments.to.name}")


if __name__ == "__main__":
    main()

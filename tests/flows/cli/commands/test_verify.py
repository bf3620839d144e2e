"""``kbw verify``: digests are recomputed from what they are of."""

from __future__ import annotations

import json

from tests.conftest import ROOT

EXTERNAL = "H100_PCIe_LambdaLabs/torch/level2/84_Gemm_BatchNorm_Scaling_Softmax.py"


def test_verify_says_which_digests_hold_and_ends_with_3_when_one_does_not(on_sample, tmp_path):
    path = tmp_path / "run.json"
    path.write_text(on_sample("manifest", EXTERNAL, "--pin", "newest").stdout)
    good = on_sample("verify", path)
    assert (good.returncode, good.stdout.count("  holds")) == (0, 2)
    document = json.loads(path.read_text())
    document["environment"]["spec"]["hardware"]["formFactor"] = "SXM5"
    path.write_text(json.dumps(document))
    bad = on_sample("verify", path)
    assert bad.returncode == 3
    assert "run.spec.environmentDigest" in bad.stdout
    assert "DOES NOT HOLD" in bad.stdout
    assert [row["holds"] for row in json.loads(on_sample("verify", path, "--json").stdout)].count(False) == 1


def test_a_file_that_is_no_json_is_told_in_one_line(on_sample, tmp_path):
    (tmp_path / "no.json").write_text("{")
    done = on_sample("verify", tmp_path / "no.json")
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)


def test_every_digest_of_an_export_can_be_made_again_from_its_other_columns(on_sample, tmp_path):
    """11 kinds: run, copy key, cohort, environment, workload, and the six of the public index."""
    import polars as pl

    on_sample("export", "--to", tmp_path / "snapshot")
    good = json.loads(on_sample("verify", tmp_path / "snapshot", "--json").stdout)
    assert {
        row["name"]: row["claimed"] for row in good if row["name"] in ("run_id", "run_digest", "workload_digest")
    } == {
        "run_id": "10,105 digests",
        "run_digest": "1,000 digests",
        "workload_digest": "250 digests",
    }
    assert len(good) == 11
    assert all(row["holds"] for row in good)
    runs = pl.read_parquet(tmp_path / "snapshot" / "runs.parquet")
    first = pl.int_range(pl.len()) == 0
    tampered = runs.with_columns(
        source_metrics=pl.when(first).then(pl.lit('{"mean":1,"std":1,"min":1,"max":1}')).otherwise("source_metrics")
    )
    tampered.write_parquet(tmp_path / "snapshot" / "runs.parquet")
    bad = on_sample("verify", tmp_path / "snapshot")
    assert bad.returncode == 3
    assert f"run_id  10,105 digests  DOES NOT HOLD: 1, the first of {runs['run_id'][0]}" in bad.stdout


def test_a_folder_that_is_no_export_is_told(on_sample, tmp_path):
    done = on_sample("verify", tmp_path)
    assert (done.returncode, "no export" in done.stderr) == (1, True)


def test_the_ten_lines_of_the_manual_recompute_a_run_by_hand(on_sample, tmp_path, monkeypatch):
    manual = (ROOT / "docs" / "identity.md").read_text(encoding="utf-8")
    program = manual.split("```python\n")[1].split("```")[0]
    on_sample("export", "--to", tmp_path / "snapshot")
    monkeypatch.chdir(tmp_path)
    exec(compile(program, "docs/identity.md", "exec"), {})

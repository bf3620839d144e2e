"""``kbw manifest``, ``kbw verify``: whoever has a digest finds the very same object here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.histories import GitHistory, ingest_git, module, module_path, query, timing_path, timings

SEED = Path(__file__).resolve().parents[2].parent / "shared" / "seeds" / "run_manifest.json"
RELU = "19_ReLU.py"
EXTERNAL = "H100_PCIe_LambdaLabs/torch/level2/84_Gemm_BatchNorm_Scaling_Softmax.py"


def test_pinned_to_the_newest_revision_a_run_is_dated_as_the_index_dates_it(on_sample):
    """The seed's figures and digests, written out: 4.94 ms, dated 2026-03-05 by the index, 2025-07-21 in truth."""
    pinned = json.loads(on_sample("manifest", EXTERNAL, "--pin", "newest").stdout)
    assert set(pinned) == {"run", "protocol", "environment"}
    spec = pinned["run"]["spec"]
    assert spec["observedAt"] == "2026-03-05T08:38:15.000Z"
    assert spec["timing"]["latencyNs"]["mean"] == 4_940_000
    assert spec["workloadDigest"] == "sha256:0b0a76c380b41f22e40b49d5823bbdbeebdc0be9434b9b27d0393f81645143d6"
    assert spec["implementationDigest"] == "sha256:5353b52c04fd153230227a9ea4057d48c30a5df7eb15f23d8cb348572ab58de2"
    truthful = json.loads(on_sample("manifest", EXTERNAL).stdout)
    assert truthful["run"]["spec"]["observedAt"] == "2025-07-21T22:53:40.000Z"


@pytest.mark.skipif(not SEED.exists(), reason="LOUD: ../shared is absent, the seed's manifest is not compared")
def test_the_seeds_manifest_comes_out_member_for_member(on_sample):
    assert json.loads(on_sample("manifest", EXTERNAL, "--pin", "newest").stdout) == json.loads(SEED.read_text())


def test_the_operation_of_the_seeds_page_is_found(on_sample):
    done = on_sample("manifest", "H100_Modal/torch/level3/28_VisionTransformer.py", "--pin", "newest", "--digests")
    assert json.loads(done.stdout)["operation"].startswith("sha256:386c33f936e3")


def test_a_run_is_named_by_its_id_its_beginning_or_an_external_id(on_sample, sample_home):
    ((run_id,),) = query(
        sample_home,
        "select run_id from runs where present and host = 'H100_Modal' and mode = 'torch' and problem = $p",
        p="19_ReLU.py",
    )
    names = (run_id, run_id[:16], "H100_Modal/torch/level1/19_ReLU.py")
    answers = {on_sample("manifest", name, "--kind", "run").stdout for name in names}
    assert len(answers) == 1
    assert json.loads(answers.pop())["kind"] == "BenchmarkRun"


def test_a_name_of_several_runs_is_answered_with_candidates_and_one_of_none_with_a_way_on(on_sample):
    several = on_sample("manifest", "T4_modal/torch/level1/19_ReLU.py")
    assert several.returncode == 1
    assert "2 runs have this id" in several.stderr
    figures = on_sample("manifest", "00")
    assert figures.returncode == 1
    assert "several runs are named so; give more of one's id: 00" in figures.stderr
    none = on_sample("manifest", "H100_Modal/torch/level1/999_Nothing.py")
    assert none.returncode == 1
    assert "no run has this id" in none.stderr


@pytest.mark.parametrize("name", ["00", "T4_modal/torch/level1/19_ReLU.py", "H100_Modal/torch/level1/999_Nothing.py"])
def test_a_name_that_means_no_one_run_is_refused_in_the_same_words_by_every_command(on_sample, name):
    manifest, explain = on_sample("manifest", name), on_sample("explain", name)
    assert (manifest.returncode, manifest.stdout) == (explain.returncode, explain.stdout) == (1, "")
    assert manifest.stderr == explain.stderr


def test_of_the_versions_of_a_figure_a_pin_means_the_one_that_it_shows(kbw, home, tmp_path):
    history = GitHistory(tmp_path / "repository")
    history.commit("2025-01-01", {timing_path(): timings(n19_ReLU=1.0), module_path(RELU): module("ReLU")})
    history.commit("2025-02-01", {timing_path(): timings(n19_ReLU=2.0)})
    history.commit("2025-03-01", {timing_path(): None, timing_path("H100_b"): timings(n19_ReLU=3.0)})
    ingest_git(home, history)
    name = f"H100_lab/torch/level1/{RELU}"
    assert "2 runs have this id" in kbw("manifest", name).stderr
    assert "did not stand at" in kbw("manifest", name, "--pin", "newest").stderr
    for mark, mean in ((1, 1_000_000), (2, 2_000_000)):
        pinned = json.loads(kbw("manifest", name, "--pin", history.id(mark)).stdout)
        assert pinned["run"]["spec"]["timing"]["latencyNs"]["mean"] == mean


def test_a_pin_at_which_the_run_did_not_stand_is_refused(on_sample):
    done = on_sample("manifest", "H100_Modal/torch/level1/19_ReLU.py", "--pin", "cf8edaab41af")
    assert done.returncode == 1
    assert "did not stand at cf8edaab41af" in done.stderr
    unknown = on_sample("manifest", EXTERNAL, "--pin", "0123456")
    assert "0 revisions begin with '0123456'; there are: cf8edaab41af" in unknown.stderr


def test_a_module_that_a_pin_does_not_have_is_told(kbw, home, tmp_path):
    history = GitHistory(tmp_path / "repository")
    history.commit("2025-01-01", {timing_path(): timings(n19_ReLU=1.0)})
    ingest_git(home, history)
    ((run_id,),) = query(home, "select run_id from runs")
    done = kbw("manifest", run_id)
    assert done.returncode == 1
    assert "has no such module" in done.stderr


@pytest.mark.parametrize("kind", ["run", "operation", "workload", "implementation", "environment", "protocol"])
def test_every_kind_of_manifest_can_be_had(on_sample, kind):
    document = json.loads(on_sample("manifest", EXTERNAL, "--kind", kind).stdout)
    assert set(document) == {"apiVersion", "kind", "spec", "metadata"}


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


def test_a_digest_pinned_anew_is_that_of_the_module_at_the_pin(kbw, home, tmp_path):
    """The index reads the module at the pin, not at the measurement: the workload differs, the figures do not."""
    history = GitHistory(tmp_path / "repository")
    history.commit("2025-01-01", {timing_path(): timings(n19_ReLU=1.0), module_path(RELU): module("ReLU", n=16)})
    history.commit("2025-02-01", {"results/timing/README.md": "reworded", module_path(RELU): module("ReLU", n=32)})
    ingest_git(home, history)
    name = f"H100_lab/torch/level1/{RELU}"
    then, now = (
        json.loads(kbw("manifest", name, "--kind", "workload", *pin).stdout) for pin in ([], ["--pin", "newest"])
    )
    assert (then["spec"]["axes"], now["spec"]["axes"]) == ({"rows": 16}, {"rows": 32})


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
    manual = (Path(__file__).resolve().parents[2] / "docs" / "identity.md").read_text(encoding="utf-8")
    program = manual.split("```python\n")[1].split("```")[0]
    on_sample("export", "--to", tmp_path / "snapshot")
    monkeypatch.chdir(tmp_path)
    exec(compile(program, "docs/identity.md", "exec"), {})


VECTORS = SEED.parents[1] / "vectors" / "identities.json"


@pytest.mark.skipif(not VECTORS.exists(), reason="LOUD: ../shared is absent, the vectors' digests are not compared")
def test_the_interop_table_of_the_sample_holds_every_digest_of_the_vectors(sample_home):
    vectors = json.loads(VECTORS.read_text())
    rows = query(
        sample_home,
        "select external_id, operation_digest, workload_digest, environment_digest, protocol_digest, run_digest, "
        "implementation_digest from interop",
    )
    table = {row[0]: row[1:] for row in rows}
    compared = 0
    for name, problem in vectors["problems"].items():
        for external_id, row in table.items():
            if not external_id.endswith(f"/{name}"):
                continue
            assert row[:2] == (problem["operation"], problem["workload"])
            assert row[3] == vectors["protocol_digest"]
            assert row[4] == problem["runs"][external_id]["digest"], external_id
            assert row[5] in problem["implementations"].values()
            compared += 1
    assert compared == 160


def test_every_problem_and_run_of_the_newest_pin_has_digests(sample_home):
    """The public index itself could read 247 and 988."""
    counts = "count(*), count(run_digest), count(distinct operation_digest), count(distinct workload_digest)"
    assert query(sample_home, f"select {counts} from interop") == [(1000, 1000, 250, 250)]


def test_a_workload_or_a_problem_names_its_manifests(on_sample, sample_home):
    standing = "select distinct workload_id from runs where present and problem = '28_VisionTransformer.py'"
    ((workload_id,),) = query(sample_home, standing)
    by_workload = on_sample("manifest", workload_id[:12], "--kind", "operation", "--pin", "newest").stdout
    by_problem = on_sample("manifest", "level3/28", "--kind", "operation", "--pin", "newest").stdout
    assert json.loads(by_workload) == json.loads(by_problem)
    assert json.loads(by_problem)["metadata"]["title"] == "VisionTransformer"
    assert on_sample("manifest", "level3/28").returncode == 1

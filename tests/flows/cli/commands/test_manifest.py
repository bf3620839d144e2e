"""``kbw manifest``: whoever has a digest finds the very same object here."""

from __future__ import annotations

import json

import pytest

from tests.conftest import ROOT
from tests.histories import GitHistory, ingest_git, module, module_path, query, timing_path, timings

SEED = ROOT.parent / "shared" / "seeds" / "run_manifest.json"
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


def test_a_workload_or_a_problem_names_its_manifests(on_sample, sample_home):
    standing = "select distinct workload_id from runs where present and problem = '28_VisionTransformer.py'"
    ((workload_id,),) = query(sample_home, standing)
    by_workload = on_sample("manifest", workload_id[:12], "--kind", "operation", "--pin", "newest").stdout
    by_problem = on_sample("manifest", "level3/28", "--kind", "operation", "--pin", "newest").stdout
    assert json.loads(by_workload) == json.loads(by_problem)
    assert json.loads(by_problem)["metadata"]["title"] == "VisionTransformer"
    assert on_sample("manifest", "level3/28").returncode == 1

"""The public index's own digests, names and whole manifests come out, from the facts alone."""

from __future__ import annotations

import io
import json
import subprocess
import tarfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from transforms.layout import TOP
from transforms.manifests.documents import digest, environment, manifests, operation, protocol, workload
from transforms.manifests.facts import Pin, PinnedProblem, PinnedRun
from transforms.manifests.interop import interop_table
from transforms.manifests.naming import external_mode
from transforms.manifests.schemas import schemas
from transforms.manifests.verify import verify
from transforms.problems.reader import TensorInput, read_module
from transforms.registry import modes
from transforms.timings.paths import timing_path
from transforms.timings.reader import read_timings

SHARED = Path(__file__).resolve().parents[4] / "shared"
pytestmark = pytest.mark.skipif(
    not SHARED.is_dir(), reason=f"the reference vectors are not beside the checkout: {SHARED}"
)

URL = "https://github.com/ScalingIntelligence/KernelBench"
MODES = {external_mode(mode): mode for mode in modes()}


def _shared(name: str) -> Any:
    return json.loads((SHARED / name).read_text(encoding="utf-8"))


def _pin(commit: str, observed_at: str) -> Pin:
    return Pin(URL, commit, datetime.fromisoformat(observed_at))


def _problem(key: str, facts: dict[str, Any]) -> PinnedProblem:
    level, file = key.split("/")
    inputs = tuple(TensorInput(i["name"], tuple(i["shape"]), i["dtype"]) for i in facts["inputs"])
    return PinnedProblem(
        level=level,
        file=file,
        path=f"KernelBench/{key}",
        module_sha256=facts["module_sha256"],
        module_size_bytes=facts["module_size_bytes"],
        inputs=inputs,
        axes=facts["axes"],
        scalars=facts["scalars"],
    )


def _run(external_id: str, figures: dict[str, Any]) -> PinnedRun:
    host, mode, level, file = external_id.split("/")
    return PinnedRun(
        host=host,
        mode=MODES[mode],
        level=level,
        file=file,
        path=f"results/timing/{host}/baseline_time_{MODES[mode]}.json",
        hardware=figures["hardware"],
        mean=figures["mean"],
        std=figures["std"],
        min=figures["min"],
        max=figures["max"],
        num_trials=figures["num_trials"],
    )


def _published() -> Iterator[tuple[str, dict[str, Any], str, dict[str, Any]]]:
    """Every run of the vectors, with its problem."""
    for key, problem in _shared("vectors/identities.json")["problems"].items():
        for external_id, run in problem["runs"].items():
            yield key, problem, external_id, run


def test_every_digest_name_and_title_of_the_vectors() -> None:
    vectors = _shared("vectors/identities.json")
    pin = _pin(vectors["revision"], vectors["observed_at"])
    validators = {kind: Draft202012Validator(schema) for kind, schema in schemas().items()}
    seen = 0
    for key, problem, external_id, run in _published():
        made = manifests(_run(external_id, run["figures"]), _problem(key, problem), pin)
        interface = made["implementation"]["spec"]["callable"]["interface"]
        assert {name: digest(document) for name, document in made.items()} == {
            "operation": problem["operation"],
            "workload": problem["workload"],
            "implementation": problem["implementations"][interface],
            "environment": vectors["environments"][run["figures"]["hardware"]]["digest"],
            "protocol": vectors["protocol_digest"],
            "run": run["digest"],
        }
        host, mode = external_id.split("/")[:2]
        named = {
            "operation": made["operation"],
            "workload": made["workload"],
            f"implementation {mode}": made["implementation"],
            f"run {host} {mode}": made["run"],
        }
        for name, document in named.items():
            assert list(document["metadata"].values()) == problem["names"][name]
        for document in made.values():
            validators[document["kind"]].validate(document)
        seen += 1
    assert seen == 160


def test_every_environment_of_the_vectors() -> None:
    for hardware, expected in _shared("vectors/identities.json")["environments"].items():
        assert environment("any", hardware)["spec"] == expected["spec"]
        assert digest(environment("any", hardware)) == expected["digest"]


def test_whole_manifests_of_the_vectors() -> None:
    vectors = _shared("vectors/identities.json")
    pin = _pin(vectors["revision"], vectors["observed_at"])
    published = _shared("vectors/manifests.json")
    for key, expected in published.items():
        problem = _problem(key, vectors["problems"][key])
        runs = [_run(i, run["figures"]) for i, run in vectors["problems"][key]["runs"].items()]
        implementations = [manifests(run, problem, pin)["implementation"] for run in runs[:2]]
        operation_ = operation(problem, pin)
        made = [operation_, workload(problem, digest(operation_)), *implementations]
        assert made == [one["manifest"] for one in expected]
    verdicts = verify(published)
    assert len(verdicts) == 21
    assert all(verdict.holds for verdict in verdicts)


def test_the_seed_comes_out_member_for_member() -> None:
    seed = _shared("seeds/run_manifest.json")
    vectors = _shared("vectors/identities.json")
    external_id = seed["run"]["spec"]["sourceNative"]["externalId"]
    key = "/".join(external_id.split("/")[2:])
    problem = vectors["problems"][key]
    made = manifests(
        _run(external_id, problem["runs"][external_id]["figures"]),
        _problem(key, problem),
        _pin(vectors["revision"], vectors["observed_at"]),
    )
    assert {name: made[name] for name in seed} == seed
    assert {(v.name, v.holds) for v in verify(seed)} == {
        ("run.spec.protocolDigest", True),
        ("run.spec.environmentDigest", True),
    }


@pytest.fixture(scope="module")
def upstream(tmp_path_factory: pytest.TempPathFactory) -> Path:
    clone = tmp_path_factory.mktemp("upstream") / "kernelbench.git"
    bundle = SHARED / "upstream" / "kernelbench.bundle"
    subprocess.run(["git", "clone", "--quiet", "--bare", str(bundle), str(clone)], check=True)
    return clone


def _files(clone: Path, commit: str) -> dict[str, bytes]:
    archive = subprocess.run(
        ["git", "-C", str(clone), "archive", commit, "KernelBench", "results"],
        check=True,
        capture_output=True,
    )
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as tar:
        return {member.name: tar.extractfile(member).read() for member in tar if member.isfile()}  # type: ignore[union-attr]


def _runs(files: dict[str, bytes]) -> pl.DataFrame:
    series = {path: named for path in files if (named := timing_path(path))}
    entries = read_timings([(path, files[path]) for path in series]).entries
    paths = pl.DataFrame(
        [(path, *named) for path, named in series.items()], schema=["path", "host", "mode"], orient="row"
    )
    return entries.join(paths, left_on="blob", right_on="path").with_columns(
        path="blob", run_id=pl.int_range(pl.len()).cast(pl.String)
    )


@pytest.mark.parametrize("name", ["expected_head", "expected_pin_2025-12-31"])
def test_every_digest_of_a_whole_revision(upstream: Path, name: str) -> None:
    expected = _shared(f"upstream/{name}.json")
    files = _files(upstream, expected["commit"])
    read = [
        PinnedProblem.of(read_module(text, *named), path)
        for path, text in files.items()
        if (named := TOP.module_path(path))
    ]
    problems = [problem for problem in read if problem is not None]
    pin = _pin(expected["commit"], expected["observedAt"])
    table = interop_table("upstream", pin, problems, _runs(files))
    assert (len(problems), table.height) == (250, 1000)
    assert dict(table.select("external_id", "run_digest").iter_rows()) == expected["runs"]
    assert set(table["protocol_digest"]) == {expected["protocol"], digest(protocol())}
    for row in table.iter_rows(named=True):
        _, mode, key = row["external_id"].split("/", 2)
        of_problem = expected["problems"][key]
        assert row["operation_digest"] == of_problem["operation"]
        assert row["workload_digest"] == of_problem["workload"]
        assert row["implementation_digest"] == of_problem[mode]

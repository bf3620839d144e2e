"""Checks against upstream's whole history and the vectors, which do not ship with the project."""

from __future__ import annotations

import gzip
import json
import subprocess
from pathlib import Path

import pytest

from transforms.problems.names import family, title
from transforms.problems.reader import ModuleReading, read_module

SHARED = Path(__file__).resolve().parents[3] / ".." / "shared"

pytestmark = pytest.mark.skipif(
    not SHARED.is_dir(),
    reason="the folder ../shared is absent: upstream's history and vectors were not checked",
)


def load(name: str):
    return json.loads((SHARED / name).read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def clone(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("upstream") / "kernelbench.git"
    bundle = SHARED / "upstream" / "kernelbench.bundle"
    subprocess.run(["git", "clone", "--quiet", "--bare", str(bundle), str(path)], check=True)
    return path


def git(clone: Path, *arguments: str, given: str = "") -> bytes:
    command = ["git", "-C", str(clone), *arguments]
    return subprocess.run(command, input=given.encode(), capture_output=True, check=True).stdout


def blobs(clone: Path, ids: list[str]) -> list[bytes]:
    """Return the bytes of blobs, in order."""
    answer, found, at = git(clone, "cat-file", "--batch", given="\n".join(ids) + "\n"), [], 0
    for _ in ids:
        end = answer.index(b"\n", at)
        size = int(answer[at:end].split()[2])
        found.append(answer[end + 1 : end + 1 + size])
        at = end + size + 2
    return found


def modules_at(clone: Path, revision: str) -> dict[str, ModuleReading]:
    """Return what comes of every module of a revision, by level and file."""
    rows = git(clone, "ls-tree", "-r", revision, "KernelBench/").decode().splitlines()
    ids = {row.split("\t")[1].removeprefix("KernelBench/"): row.split()[2] for row in rows}
    texts = blobs(clone, list(ids.values()))
    return {path: read_module(text, *path.split("/")) for path, text in zip(ids, texts, strict=True)}


@pytest.mark.parametrize("name", ["expected_head.json", "expected_pin_2025-12-31.json"])
def test_every_module_of_a_revision_declares_what_is_expected(clone, name):
    expected = load(f"upstream/{name}")
    readings = modules_at(clone, expected["commit"])
    found = {}
    for path, reading in readings.items():
        assert reading.problem, f"{path}: {reading.detail}"
        facts = reading.problem.as_json()
        found[path] = {key: facts[key] for key in ("inputs", "axes", "scalars")} | {
            "title": title(reading.file),
            "family": family(reading.level, reading.file),
        }
    wanted = {
        path: {key: facts[key] for key in ("inputs", "axes", "scalars", "title", "family")}
        for path, facts in expected["problems"].items()
    }
    assert len(wanted) == 250
    assert found == wanted


def test_every_module_there_ever_was_reads_completely(clone):
    rows = git(clone, "log", "--all", "-m", "--raw", "--no-abbrev", "--format=", "--", "KernelBench").decode()
    ids = sorted({row.split()[3] for row in rows.splitlines() if row.endswith(".py")} - {"0" * 40})
    readings = [read_module(data, "level1", "1_a.py") for data in blobs(clone, ids)]
    assert len(readings) == 970
    assert [reading.detail for reading in readings if reading.problem is None] == []


@pytest.mark.parametrize("name", load("vectors/code.json") if SHARED.is_dir() else ["absent"])
def test_the_digests_of_a_text_are_those_of_its_vector(name):
    vector = load("vectors/code.json")[name]
    reading = read_module(vector["text"].encode(), "level1", "1_a.py")
    assert reading.problem
    assert reading.code_digest == vector["code_digest"]
    assert reading.problem.compute_digest == vector["compute_digest"]


def test_titles_and_families_of_the_real_upstream_are_those_of_its_index():
    problems = load("vectors/identities.json")["problems"]
    found = {path: (title(path.split("/")[1]), family(*path.split("/"))) for path in problems}
    assert found == {path: (facts["title"], facts["family"]) for path, facts in problems.items()}


def test_the_registry_of_families_is_the_published_one():
    registry = json.loads((Path(__file__).parents[3] / "transforms/registry/families.json").read_text())
    assert registry["by_word"] == load("vectors/families.json")["rows"]


def test_what_is_read_has_the_shape_of_the_facts_of_the_real_upstream(clone):
    """The texts behind those facts are not here; their keys and kinds of values are."""
    lines = gzip.decompress((SHARED / "facts" / "problems.jsonl.gz").read_bytes()).splitlines()
    facts = json.loads(lines[0])
    for reading in modules_at(clone, "HEAD").values():
        assert reading.problem
        ours = reading.problem.as_json()
        assert set(ours) == set(facts) - {"blob", "level", "file", "sha256", "size_bytes", "code_digest"}
        assert all(set(one) == set(facts["inputs"][0]) for one in ours["inputs"])

"""What is recomputed, and what does not hold."""

from __future__ import annotations

import copy
import json

import pytest

from tests.transforms.manifests.made_up import PIN, PROBLEM, RUN
from transforms.manifests.digests import Document
from transforms.manifests.documents import digest, manifests
from transforms.manifests.verify import verify

MADE = manifests(RUN, PROBLEM, PIN)
RUN_DIGEST = digest(MADE["run"])
REFERENCES = {
    "workload.spec.operationSpecDigest",
    "implementation.spec.operation.specDigest",
    "run.spec.workloadDigest",
    "run.spec.implementationDigest",
    "run.spec.environmentDigest",
    "run.spec.protocolDigest",
}


@pytest.fixture
def made() -> dict[str, Document]:
    return copy.deepcopy(MADE)


def failed(document: object) -> set[str]:
    return {verdict.name for verdict in verify(document) if not verdict.holds}


def judged(document: object) -> set[str]:
    return {verdict.name for verdict in verify(document)}


def test_the_six_of_a_run_hold(made: dict[str, Document]) -> None:
    assert judged(made) == REFERENCES
    assert failed(made) == set()


def test_what_is_not_there_is_not_judged(made: dict[str, Document]) -> None:
    seed = {name: made[name] for name in ("run", "protocol", "environment")}
    assert judged(seed) == {"run.spec.protocolDigest", "run.spec.environmentDigest"}


def test_a_changed_environment_is_found(made: dict[str, Document]) -> None:
    made["environment"]["spec"]["hardware"]["formFactor"] = "PCIe"
    (verdict,) = (verdict for verdict in verify(made) if not verdict.holds)
    assert verdict.name == "run.spec.environmentDigest"
    assert verdict.claimed == digest(MADE["environment"])
    assert verdict.recomputed == digest(made["environment"])


def test_names_and_titles_are_no_part_of_a_digest(made: dict[str, Document]) -> None:
    made["environment"]["metadata"] = {"name": "other", "title": "Other"}
    assert failed(made) == set()


@pytest.mark.parametrize(
    ("document", "name"),
    [
        ({"digest": RUN_DIGEST, "manifest": MADE["run"]}, "digest"),
        ({**MADE["run"], "digest": RUN_DIGEST}, "digest"),
        ({RUN_DIGEST: MADE["run"]}, RUN_DIGEST),
        ([{"digest": RUN_DIGEST, "manifest": MADE["run"]}], "[0].digest"),
        ({"runs": [{**MADE["run"], "digest": RUN_DIGEST}]}, "runs[0].digest"),
    ],
)
def test_a_claimed_digest_is_recomputed(document: object, name: str) -> None:
    (verdict,) = verify(document)
    assert (verdict.name, verdict.claimed, verdict.recomputed) == (name, RUN_DIGEST, RUN_DIGEST)
    assert verdict.holds

    tampered = json.loads(json.dumps(document).replace('"samples": 100', '"samples": 101'))
    (verdict,) = verify(tampered)
    assert not verdict.holds
    assert verdict.claimed == RUN_DIGEST


def test_a_claim_without_its_algorithm_does_not_hold(made: dict[str, Document]) -> None:
    assert failed({"digest": RUN_DIGEST.removeprefix("sha256:"), "manifest": made["run"]}) == {"digest"}


def test_a_reference_means_the_nearest_manifest_of_its_kind(made: dict[str, Document]) -> None:
    """Two runs, each with its own environment: the other's does not stand in for one that was changed."""
    other = copy.deepcopy(made)
    other["run"]["spec"]["environmentDigest"] = "sha256:0"
    other["environment"]["spec"]["hardware"] = {}
    made["run"]["spec"]["environmentDigest"] = digest(other["environment"])
    assert failed([made, other]) == {"[0].run.spec.environmentDigest", "[1].run.spec.environmentDigest"}


def test_a_set_by_kind_is_searched_as_a_whole(made: dict[str, Document]) -> None:
    other = copy.deepcopy(made["workload"])
    other["spec"]["axes"] = {"rows": 9}
    whole = {
        "runs": [made["run"]],
        "workloads": [{"digest": digest(other), "manifest": other}, made["workload"]],
    }
    assert judged(whole) == {"runs[0].spec.workloadDigest", "workloads[0].digest"}
    assert failed(whole) == set()


def test_a_reference_to_none_of_several_is_no_guess(made: dict[str, Document]) -> None:
    one, two = copy.deepcopy(made["workload"]), copy.deepcopy(made["workload"])
    one["spec"]["axes"], two["spec"]["axes"] = {"rows": 9}, {"rows": 10}
    (verdict,) = verify({"runs": [made["run"]], "workloads": [one, two]})
    assert verdict.recomputed is None
    assert not verdict.holds


@pytest.mark.parametrize("value", [float("nan"), 2**60, "\ud800"])
def test_what_has_no_canonical_json_does_not_hold(made: dict[str, Document], value: object) -> None:
    made["run"]["spec"]["status"] = value
    (verdict,) = verify({"digest": RUN_DIGEST, "manifest": made["run"]})
    assert verdict.recomputed is None
    assert not verdict.holds


EMPTY: list[object] = [None, 1, "text", [], {}, {"digest": RUN_DIGEST}, {"kind": "BenchmarkRun"}]


@pytest.mark.parametrize("document", EMPTY)
def test_what_holds_no_manifest_claims_nothing(document: object) -> None:
    assert verify(document) == []


def test_a_null_claims_nothing(made: dict[str, Document]) -> None:
    made["run"]["spec"]["environmentDigest"] = None
    assert "run.spec.environmentDigest" not in judged(made)
    assert verify({"digest": None, "manifest": made["run"]}) == []


@pytest.mark.parametrize("spec", [None, 3, [], {"operation": 1}])
def test_a_body_of_another_shape_is_no_obstacle(spec: object) -> None:
    odd = {"apiVersion": "x", "kind": "Y", "spec": spec}
    (verdict,) = verify({"digest": digest(odd), "manifest": odd})
    assert verdict.holds


@pytest.mark.parametrize("claimed", [1, [], {"sha256": "0"}])
def test_a_claim_that_is_no_text_does_not_hold(made: dict[str, Document], claimed: object) -> None:
    made["run"]["spec"]["environmentDigest"] = claimed
    assert "run.spec.environmentDigest" in failed(made)


def test_bottomless_nesting_is_refused_in_words() -> None:
    document: object = {}
    for _ in range(100_000):
        document = [document]
    with pytest.raises(ValueError, match="nested too deeply"):
        verify(document)

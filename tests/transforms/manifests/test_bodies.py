"""The public index's body of a GPU follows from the registry's row and the reported string."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from transforms import registry
from transforms.manifests.bodies import hardware_body

SHARED = Path(__file__).resolve().parents[4] / "shared"


def body(reported: str | None) -> Any:
    return msgspec.to_builtins(hardware_body(reported))


@pytest.mark.parametrize(
    ("reported", "product", "architecture", "form_factor"),
    [
        ("NVIDIA H100 80GB HBM3", "NVIDIA H100", "sm_90", "80GB HBM3"),
        ("NVIDIA H100 PCIe", "NVIDIA H100", "sm_90", "PCIe"),
        ("NVIDIA A100-SXM4-40GB", "NVIDIA A100", "sm_80", "SXM4-40GB"),
        ("NVIDIA B200", "NVIDIA B200", "sm_100", None),
        ("Tesla T4", "NVIDIA T4", "sm_75", None),
        ("Tesla V100-SXM2-16GB", "NVIDIA V100", "sm_70", "SXM2-16GB"),
    ],
)
def test_the_form_factor_is_what_follows_the_product(reported, product, architecture, form_factor):
    """The index calls `80GB HBM3` a form factor. A name may say Tesla where a product says NVIDIA."""
    expected = {"vendor": "nvidia", "product": product, "architecture": architecture}
    assert body(reported) == (expected if form_factor is None else {**expected, "formFactor": form_factor})


@pytest.mark.parametrize("gpu", registry.gpus().values(), ids=lambda gpu: gpu.hardware)
def test_the_reported_string_of_every_known_gpu_begins_with_its_product(gpu):
    """Else all of it would be taken for a form factor."""
    found = body(gpu.hardware)
    assert found.get("formFactor", "") in gpu.hardware
    assert not found.get("formFactor", "").startswith(("NVIDIA", "AMD", "Tesla"))


@pytest.mark.skipif(not SHARED.is_dir(), reason=f"the reference vectors are not beside the checkout: {SHARED}")
def test_bodies_are_those_of_the_public_index():
    expected = json.loads((SHARED / "vectors" / "gpus.json").read_text())["hardware"]
    assert {reported: body(reported) for reported in expected} == expected


def test_a_gpu_that_the_registry_lacks_is_kept_as_it_stands():
    assert body("NVIDIA X1 Ultra") == {"vendor": "nvidia", "product": "NVIDIA X1 Ultra"}
    assert body("Contraption 9") == {"product": "Contraption 9"}
    assert body(None) == {}

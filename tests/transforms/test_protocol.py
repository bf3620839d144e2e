"""The protocol has one document and one digest, spelt in two ways."""

from __future__ import annotations

from transforms.manifests.digests import digest
from transforms.protocol import protocol, protocol_digest, protocol_id

PROTOCOL_DIGEST = "547725b033a9911eae0c5ac362344a85aed824894ed4ab476af945b9bb491ea6"
"""The public index's."""


def test_the_digest_is_the_indexs_over_api_version_kind_and_spec():
    """Its metadata is a label: hashed with it, the document would have another identity."""
    assert (protocol_id(), protocol_digest()) == (PROTOCOL_DIGEST, f"sha256:{PROTOCOL_DIGEST}")
    assert digest({**protocol(), "metadata": {}}) == protocol_digest()
    assert set(protocol()) == {"apiVersion", "kind", "metadata", "spec"}


def test_a_copy_that_is_changed_changes_no_other():
    protocol()["spec"]["measurement"]["timer"] = "sundial"
    assert protocol()["spec"]["measurement"]["timer"] != "sundial"

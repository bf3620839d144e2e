"""JSON Schemas of the six kinds, for whoever reads our manifests without our code."""

from typing import Any

import msgspec

from transforms.manifests.kinds import MANIFEST_KINDS

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schemas() -> dict[str, dict[str, Any]]:
    """A schema per kind, by the kind's name."""
    return {kind.__name__: {"$schema": DIALECT, **_all_required(msgspec.json.schema(kind))} for kind in MANIFEST_KINDS}


def _all_required(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema without defaults: what has one is a constant, and a manifest without it is another."""
    definitions = {name: _required(definition) for name, definition in schema["$defs"].items()}
    return {**schema, "$defs": definitions}


def _required(definition: dict[str, Any]) -> dict[str, Any]:
    properties: dict[str, dict[str, Any]] = definition["properties"]
    constants = {name for name, member in properties.items() if "default" in member}
    required = constants | {*definition["required"]}
    bare = {name: {k: v for k, v in member.items() if k != "default"} for name, member in properties.items()}
    return {**definition, "properties": bare, "required": [name for name in properties if name in required]}

"""Write the JSON Schemas of the manifests: ``docs/schemas/<kind>.schema.json``."""

from __future__ import annotations

import json
from pathlib import Path

from transforms.manifests.schemas import schemas

SCHEMAS = Path(__file__).resolve().parent.parent / "docs" / "schemas"


def texts() -> dict[str, str]:
    """What each file holds, by its name."""
    return {f"{kind}.schema.json": f"{json.dumps(schema, indent=2)}\n" for kind, schema in schemas().items()}


def main() -> None:
    """Write every file, and leave no schema of a kind that is gone."""
    SCHEMAS.mkdir(parents=True, exist_ok=True)
    for stale in SCHEMAS.glob("*.schema.json"):
        stale.unlink()
    for name, text in texts().items():
        (SCHEMAS / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

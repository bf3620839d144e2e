"""A history of upstream's size and shape, made from the shipped facts, for benchmarks that need no other files.

The timing files are those that the sample renders; each problem module is a text of upstream's usual length with the
inputs that the facts state.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from flows.sources.sample import SampleSource

_BODY = '''import torch
import torch.nn as nn


class Model(nn.Module):
    """Stands for {title}, version {digest}."""

    def __init__(self, *settings):
        super().__init__()
        self.settings = settings  # kept as given

    def forward(self, *inputs):
        return inputs[0]


{constants}


def get_inputs():
    # one tensor for each input
    return [{inputs}]


def get_init_inputs():
    return []
'''


def make(folder: Path) -> Path:
    """Write the history as a bare git repository into ``folder``; its path."""
    source = SampleSource()
    chain = source.revisions([])
    trees = [dict(source.files(revision)) for revision in chain.new]
    wanted = sorted({blob for tree in trees for blob in tree.values()})
    content = {blob.id: _content(blob.data) for blob in source.read(wanted)}
    lines: list[bytes] = []
    for revision, tree in zip(chain.new, trees, strict=True):
        at = int(revision.committed_at.timestamp())
        lines.append(b"commit refs/heads/main\ncommitter C <c@example.org> %d +0000\ndata 0\ndeleteall\n" % at)
        for path, blob in tree.items():
            data = content.get(blob, b"# a script\n" + blob.encode())
            lines.append(b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(data), data))
    repository = folder / "upstream-like.git"
    subprocess.run(["git", "init", "--quiet", "--bare", "--initial-branch=main", repository], check=True)
    subprocess.run(["git", "-C", repository, "fast-import", "--quiet"], input=b"".join(lines), check=True)
    return repository


def _content(data: bytes) -> bytes:
    if not data.startswith(b"{"):
        return data
    document: dict[str, Any] = json.loads(data)
    if "code_digest" not in document:
        return json.dumps(document, indent=4).encode()
    constants = "\n".join(f"{name} = {size}" for name, size in document["axes"].items())
    inputs = ", ".join(f"torch.rand({', '.join(map(str, one['shape'])) or '()'})" for one in document["inputs"])
    digest = document["code_digest"]
    return _BODY.format(title="a problem", digest=digest, constants=constants, inputs=inputs).encode()

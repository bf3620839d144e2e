"""Identities must not depend on the Python that computes them (DESIGN.md, section 5: 3.9 to 3.13)."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import rfc8785

from tests.transforms.problems.texts import module, read

ROOT = Path(__file__).resolve().parents[3]
THIS = f"{sys.version_info[0]}.{sys.version_info[1]}"
VERSIONS = [version for version in ("3.9", "3.10", "3.11", "3.12", "3.13") if version != THIS]

TEXTS = [
    module("B, N = 4, 2 ** 10\nS = (N, 3)", "x = torch.rand(B, *S)\nreturn [x]", "return [N, 0.1, S, 'größe']"),
    module("flag = True", "return [torch.triu(torch.rand(3, 3)).half()]", "return [flag, [4] * 2, nn.ReLU( )]"),
    module("s = f'{3} # kept'  # cut\nt = r'\\d'", "return [torch.randint(0, 2, (3,))]"),
    module("def f():\n    ('two '\n     'parts')  # why\n    return 1"),
    module("class ß:\n    '''✓\n    # kept'''; x = 1").replace("\n", "\r\n"),
    "x = int(1)",
]

SCRIPT = """
import json, sys
from transforms.problems.reader import read_module
for text in json.load(sys.stdin):
    reading = read_module(text.encode(), "level1", "1_Double.py")
    print(json.dumps([reading.code_digest, reading.problem and reading.problem.as_json(), reading.reason]))
"""


def interpreters() -> dict[str, str]:
    """Return the other Pythons at hand, by version: on the path, or installed by pyenv."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found: dict[str, str] = {}
    for version in VERSIONS:
        installed = sorted(pyenv.glob(f"{version}.*/bin/python3"))
        python = str(installed[-1]) if installed else shutil.which(f"python{version}")
        if python:
            found[version] = python
    return found


@pytest.mark.parametrize("version", VERSIONS)
def test_another_python_reads_the_same(version, tmp_path):
    python = interpreters().get(version)
    if python is None:
        pytest.skip(f"no other Python {version} is at hand: digests were not compared with it")
    (tmp_path / "rfc8785").symlink_to(Path(rfc8785.__file__).parent)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(tmp_path)])}
    done = subprocess.run(
        [python, "-B", "-c", SCRIPT],
        input=json.dumps(TEXTS),
        capture_output=True,
        text=True,
        env=environment,
        cwd=tmp_path,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == "", "warnings of that Python reach the terminal"
    theirs = [json.loads(line) for line in done.stdout.splitlines()]
    ours = [[r.code_digest, r.problem and r.problem.as_json(), r.reason] for r in map(read, TEXTS)]
    assert theirs == json.loads(json.dumps(ours))

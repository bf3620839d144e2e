"""The rooms stay apart (DESIGN.md section 1)."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("flows", "transforms", "warehouse", "sql")
FORBIDDEN = {
    "transforms": {
        "flows",
        "warehouse",
        "requests",
        "duckdb",
        "prefect",
        "os",
        "subprocess",
        "socket",
        "urllib.request",
    },
    "warehouse": {"flows", "requests", "prefect", "subprocess", "socket", "urllib.request"},
    "flows": {"duckdb"},
    "sql": {"flows", "warehouse", "transforms"},
}


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def modules(room: str) -> list[Path]:
    return sorted(path for path in (ROOT / room).rglob("*.py") if "data" not in path.relative_to(ROOT / room).parts[:1])


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_reaches_only_where_it_may(room):
    reached = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in modules(room)
        for name in imports(path)
        for forbidden in FORBIDDEN[room]
        if name == forbidden or name.startswith(f"{forbidden}.")
    ]
    assert reached == []
    assert modules(room), f"{room}/ holds no module: the test would prove nothing"


def test_an_import_that_reaches_too_far_is_seen(tmp_path):
    intruder = tmp_path / "intruder.py"
    intruder.write_text("def late():\n    from duckdb import connect\n    import os.path\n")
    assert set(imports(intruder)) == {"duckdb", "os.path"}


def test_no_python_puts_sql_together():
    """SQL lives in sql/; Python names it, and hands values over as parameters."""
    verbs = ("select ", "insert into", "delete from", "update ", "create table", "create view", "comment on")
    found = []
    for room in ("flows", "warehouse", "transforms"):
        for path in modules(room):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                parts = node.values if isinstance(node, ast.JoinedStr) else []
                text = "".join(p.value for p in parts if isinstance(p, ast.Constant) and isinstance(p.value, str))
                if text.lower().lstrip().startswith(verbs):
                    found.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert found == []


def test_flows_hold_no_sql():
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in modules("flows")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and node.value.lower().lstrip().startswith(("select ", "with ", "insert "))
    ]
    assert found == []


def test_every_command_is_a_module_of_its_own_name_and_none_imports_another():
    from flows.cli.app import COMMANDS

    folder = ROOT / "flows" / "cli" / "commands"
    found = {path.stem: set(imports(path)) for path in folder.glob("*.py") if path.stem != "__init__"}
    assert found.keys() == COMMANDS.keys()
    assert {name for name in found if any(one.startswith("flows.cli.commands") for one in found[name])} == set()


def test_only_the_command_that_is_named_is_loaded(sample_home):
    program = (
        "import sys\nfrom flows.cli.app import run\nrun(['sources'])\n"
        "print(*(name for name in sys.modules if name.startswith('flows.cli.commands.')))\n"
    )
    environment = {"KBW_HOME": str(sample_home.root), "PATH": "/usr/bin:/bin", "HOME": str(sample_home.root)}
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "flows.cli.commands.sources", done.stderr


@pytest.mark.parametrize("command", [["--help"], ["records"], ["sql", "select 1"], ["info"], ["check"]])
def test_a_command_that_only_reads_imports_no_pipeline(command, sample_home):
    """DESIGN.md section 15: what needs no Prefect, Pandera or network client does not import them."""
    program = (
        "import sys\nfrom flows.cli.app import run\n"
        f"status = run({command!r})\n"
        "heavy = {'prefect', 'pandera', 'requests', 'polars', 'pyarrow'} & set(sys.modules)\n"
        "assert status == 0, status\nassert not heavy, heavy\n"
    )
    environment = {"KBW_HOME": str(sample_home.root), "PATH": "/usr/bin:/bin", "HOME": str(sample_home.root)}
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr

"""``kbw`` as a person runs it: what it prints, where, and how it ends (DESIGN.md section 15)."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT, run_kbw
from tests.histories import GitHistory, figures, module, module_path, query, timing_json, timing_path, timings

RELU = "19_ReLU.py"


@pytest.fixture
def history(tmp_path):
    made = GitHistory(tmp_path / "repository")
    made.commit("2025-01-01", {timing_path(): timings(n19_ReLU=1.0), module_path(RELU): module("ReLU")})
    return made


def test_ingesting_the_sample_ends_with_a_summary_some_records_and_the_next_commands(kbw, home):
    done = kbw("ingest", "sample")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    for words in (
        "ScalingIntelligence/KernelBench: 14 revisions, 2024-12-01 to 2026-03-05",
        "10,105 runs (10,105 new), 1,000 present, on 16 GPUs of 14 hosts",
        "14 not_measured",
        "noisy",
        "3,551, 500 of them standing",
        "level1/40_LayerNorm",
        "docs/records.md",
        str(home.database),
        "kbw records",
        "kbw sql",
    ):
        assert words in done.stdout


def test_ingesting_again_says_that_nothing_is_new(kbw):
    kbw("ingest", "sample")
    done = kbw("ingest", "sample")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "ScalingIntelligence/KernelBench: nothing new at 423217d9fda9\n"


def test_a_rehearsal_says_what_would_change_and_writes_nothing(kbw, home, history):
    done = kbw("ingest", f"git:{history.path}", "--name", "lab/x", "--dry-run")
    assert done.returncode == 0, done.stderr
    assert "would add 1 revisions, 1 runs" in done.stdout
    assert "nothing was written" in done.stdout
    assert not home.root.exists()


def test_an_ingest_in_json_has_the_counts(kbw, history):
    done = kbw("ingest", f"git:{history.path}", "--name", "lab/x", "--json")
    answer = json.loads(done.stdout)
    assert {k: answer[k] for k in ("source", "changed", "runs", "present", "runs_new", "refused_files")} == {
        "source": "lab/x",
        "changed": True,
        "runs": 1,
        "present": 1,
        "runs_new": 1,
        "refused_files": [],
    }


def test_a_refused_file_ends_with_status_3_and_its_name_and_the_rest_is_there(kbw, home, history):
    history.commit("2025-02-01", {timing_path("H100_bad"): "<html>", timing_path("H100_good"): timings(n19_ReLU=2.0)})
    done = kbw("ingest", f"git:{history.path}", "--name", "lab/x")
    assert done.returncode == 3
    assert "refused results/timing/H100_bad/baseline_time_torch.json: not_json" in done.stderr
    assert query(home, "select count(*) from runs") == [(2,)]


def test_an_entry_left_unmeasured_does_not_change_the_status(kbw, history):
    history.commit("2025-02-01", {timing_path(): timing_json({"level1": {RELU: None}})})
    done = kbw("ingest", f"git:{history.path}", "--name", "lab/x")
    assert done.returncode == 0, done.stderr
    assert "1 not_measured" in done.stdout


def test_a_clone_takes_its_name_from_its_origin(kbw, home, history):
    subprocess.run(
        ["git", "-C", history.path, "remote", "add", "origin", "git@github.com:lab/KernelBench.git"], check=True
    )
    assert kbw("ingest", f"git:{history.path}").returncode == 0
    assert query(home, "select source, url from sources") == [("lab/KernelBench", "https://github.com/lab/KernelBench")]


def failures(tmp_path: Path, history: GitHistory) -> dict[str, tuple[list[str], str]]:
    """Command lines that must fail, and a piece of the one line that says why and what to do."""
    empty, bare = tmp_path / "empty", tmp_path / "without"
    subprocess.run(["git", "init", "--quiet", empty], check=True)
    other = GitHistory(bare)
    other.commit("2025-01-01", {"README.md": "nothing to see"})
    readme = GitHistory(tmp_path / "readme")
    readme.commit("2025-01-01", {"results/timing/README.md": "soon"})
    (tmp_path / "folder").mkdir()
    return {
        "missing path": (["git:/no/such/place"], "/no/such/place: no such file or folder; name a git repository"),
        "no repository": ([f"git:{tmp_path / 'folder'}"], "not a git repository or bundle"),
        "empty repository": ([f"git:{empty}"], "has no commit yet"),
        "no timing files": ([f"git:{other.path}", "--name", "x/y"], "under results/timing"),
        "a README alone": ([f"git:{readme.path}", "--name", "x/y"], "no revision shows a results/timing/<host>"),
        "wrong ref": ([f"git:{history.path}@nope"], "no branch, tag or commit 'nope'; there is: main"),
        "no name": ([f"git:{history.path}"], "give the lineage a name: --name owner/repo"),
        "no source": (["svn:here"], "not a source; there are"),
        "missing folder": (["dir:/no/such/place"], "no such folder"),
        "folder without timings": ([f"dir:{tmp_path / 'folder'}"], "holds no results/timing"),
        "a date that is none": ([f"dir:{history.path}", "--observed-at", "soon"], "not a date or time"),
        "options of another source": (["sample", "--observed-at", "2025-01-01"], "for dir: sources"),
        "modules of no source": ([f"dir:{history.path}", "--problems", "x/y"], "no such source in the warehouse"),
    }


KINDS = (
    "missing path",
    "no repository",
    "empty repository",
    "no timing files",
    "a README alone",
    "wrong ref",
    "no name",
    "no source",
    "missing folder",
    "folder without timings",
    "a date that is none",
    "options of another source",
    "modules of no source",
)


@pytest.mark.parametrize("kind", KINDS)
def test_what_cannot_be_ingested_is_told_in_one_line_and_ends_with_1(kbw, home, tmp_path, history, kind):
    arguments, words = failures(tmp_path, history)[kind]
    done = kbw("ingest", *arguments)
    assert done.returncode == 1
    assert done.stdout == ""
    assert words in done.stderr
    assert re.fullmatch(r"kbw: [^\n]+\n", done.stderr)
    assert not home.database.exists()


def test_every_kind_of_failure_is_tried(tmp_path, history):
    assert set(failures(tmp_path, history)) == set(KINDS)


def test_a_failed_ingest_leaves_the_published_file_as_it_was(kbw, home, tmp_path, history):
    kbw("ingest", f"git:{history.path}", "--name", "lab/x")
    before = (home.database.read_bytes(), home.database.stat().st_mtime_ns)
    for arguments, _ in failures(tmp_path, history).values():
        assert kbw("ingest", *arguments).returncode == 1
    assert (home.database.read_bytes(), home.database.stat().st_mtime_ns) == before


def test_a_shallow_clone_is_refused_since_it_hides_when_figures_appeared(kbw, tmp_path, history):
    history.commit("2025-02-01", {timing_path(): timings(n19_ReLU=2.0)})
    shallow = tmp_path / "shallow"
    subprocess.run(["git", "clone", "--quiet", "--depth=1", f"file://{history.path}", shallow], check=True)
    done = kbw("ingest", f"git:{shallow}", "--name", "lab/x")
    assert done.returncode == 1
    assert "git fetch --unshallow" in done.stderr


def test_a_damaged_database_is_refused_in_one_line_and_rebuild_makes_it_again(kbw, home, history):
    kbw("ingest", f"git:{history.path}", "--name", "lab/x")
    home.database.chmod(0o644)
    home.database.write_bytes(b"damaged" * 10_000)
    for arguments in (["records"], ["info"], ["ingest", f"git:{history.path}", "--name", "lab/x"]):
        done = kbw(*arguments)
        assert done.returncode == 1
        assert re.fullmatch(r"kbw: [^\n]*warehouse\.duckdb[^\n]*kbw rebuild[^\n]*\n", done.stderr)
    assert home.database.read_bytes() == b"damaged" * 10_000
    assert kbw("rebuild").returncode == 0
    assert query(home, "select count(*) from runs") == [(1,)]


def mounted(tmp_path: Path, options: str) -> Path:
    """A small disk of its own; skips where the machine does not allow one."""
    disk = tmp_path / "disk"
    disk.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", disk], capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"LOUD: cannot mount a disk to fill: {done.stderr.strip()}")
    return disk


def test_a_full_disk_is_told_in_one_line_and_leaves_the_published_file_as_it_was(tmp_path, history):
    disk = mounted(tmp_path, "size=40m")
    try:
        assert run_kbw("ingest", f"git:{history.path}", "--name", "lab/x", KBW_HOME=str(disk)).returncode == 0
        published = disk / "warehouse.duckdb"
        before = published.read_bytes()
        free = os.statvfs(disk).f_bavail * os.statvfs(disk).f_frsize
        (disk / "ballast").write_bytes(b"\0" * (free - 200_000))
        done = run_kbw("ingest", "sample", KBW_HOME=str(disk))
        assert done.returncode == 1
        assert re.fullmatch(r"kbw: [^\n]*(space|full|free)[^\n]*\n", done.stderr), done.stderr
        assert published.read_bytes() == before
        (disk / "ballast").unlink()
        done = run_kbw("ingest", "sample", KBW_HOME=str(disk))
        assert done.returncode == 0, done.stderr
    finally:
        subprocess.run(["umount", disk], check=True)


def test_a_read_only_disk_is_told_in_one_line_and_can_still_be_read(tmp_path, history):
    disk = mounted(tmp_path, "size=40m")
    try:
        assert run_kbw("ingest", f"git:{history.path}", "--name", "lab/x", KBW_HOME=str(disk)).returncode == 0
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        done = run_kbw("ingest", "sample", KBW_HOME=str(disk))
        assert done.returncode == 1
        assert re.fullmatch(r"kbw: [^\n]*[Rr]ead-only[^\n]*\n", done.stderr), done.stderr
        assert "19_ReLU" in run_kbw("records", KBW_HOME=str(disk)).stdout
    finally:
        subprocess.run(["umount", disk], check=True)


def test_wrong_usage_ends_with_2(kbw):
    for arguments in (["nonsense"], ["records", "--json", "--csv"], ["records", "--limit", "many"], ["export"]):
        assert kbw(*arguments).returncode == 2


def test_a_defect_shows_its_traceback_only_on_demand(kbw, home):
    plain, debugged = kbw("records"), kbw("--debug", "records")
    assert "Traceback" not in plain.stderr
    assert "Traceback" in debugged.stderr
    assert plain.stderr.splitlines()[-1] == debugged.stderr.splitlines()[-1]


def test_records_are_shown_with_units_and_the_way_they_are_decided(on_sample):
    done = on_sample("records", "28_VisionTransformer", "--host", "H100_Modal")
    assert "1.37 ms ± 0.05" in done.stdout
    assert "1.32x" in done.stdout
    assert "2025-12-31" in done.stdout
    assert "docs/records.md" in done.stderr


def test_records_can_be_narrowed(on_sample):
    rows = json.loads(on_sample("records", "--gpu", "H100 PCIe", "--level", "level3", "--limit", "0", "--json").stdout)
    assert len(rows) == 50
    assert {row["host"] for row in rows} == {"H100_PCIe_LambdaLabs"}
    everything = json.loads(on_sample("records", "--withdrawn", "--limit", "0", "--json").stdout)
    assert len(everything) == 3551
    assert len(json.loads(on_sample("records", "--limit", "7", "--json").stdout)) == 7


def test_csv_can_be_read_back(on_sample):
    done = on_sample("sql", "select problem, mean_ns, flags from runs order by run_id limit 3", "--csv")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert list(rows[0]) == ["problem", "mean_ns", "flags"]
    assert len(rows) == 3


def test_sql_comes_from_an_argument_a_file_or_standard_input(on_sample, sample_home, tmp_path):
    (tmp_path / "question.sql").write_text("select count(*) as runs from runs")
    assert json.loads(on_sample("sql", tmp_path / "question.sql", "--json").stdout) == [{"runs": 10105}]
    piped = subprocess.run(
        [sys.executable, "-m", "flows", "sql", "-", "--json"],
        input="select count(*) as runs from runs",
        cwd=ROOT,
        env={**os.environ, "KBW_HOME": str(sample_home.root)},
        capture_output=True,
        text=True,
    )
    assert json.loads(piped.stdout) == [{"runs": 10105}]


def test_sql_cannot_write(on_sample, sample_home):
    before = sample_home.database.read_bytes()
    for statement in ("delete from runs", "create table mine as select 1 as a", "drop view records"):
        done = on_sample("sql", statement)
        assert done.returncode == 1
        assert re.fullmatch(r"kbw: [^\n]*read-only[^\n]*\n", done.stderr), done.stderr
    assert sample_home.database.read_bytes() == before


def test_a_mistake_in_sql_is_told_in_one_line(on_sample):
    done = on_sample("sql", "select nme from runs")
    assert done.returncode == 1
    assert re.fullmatch(r"kbw: Binder Error[^\n]*nme[^\n]*\n", done.stderr)


def test_check_passes_on_the_sample_and_ends_with_3_when_something_is_found(kbw, home, history):
    kbw("ingest", f"git:{history.path}", "--name", "lab/x")
    assert kbw("check").returncode == 0
    home.database.chmod(0o644)
    import duckdb

    with duckdb.connect(str(home.database)) as client:
        client.execute("delete from presence")
    done = kbw("check")
    assert done.returncode == 3
    assert "FAIL presence_is_whole: 1 bad rows" in done.stdout
    assert json.loads(kbw("check", "--json").stdout)["presence_is_whole"]


def test_info_says_what_is_there(on_sample, sample_home):
    done = on_sample("info")
    assert str(sample_home.database) in done.stdout
    assert re.search(r"ScalingIntelligence/KernelBench +14 +2026-03-05 +10,105 +1,000 +14 +16 +3,551 +14", done.stdout)
    assert json.loads(on_sample("info", "--json").stdout)["sources"][0]["present"] == 1000


def test_markup_in_names_is_shown_as_it_stands(kbw, history):
    evil = "7_<script>alert(1)</script>[bold].py"
    entry = figures(1.0, hardware="<img src=x onerror=alert(1)> [red]")
    history.commit("2025-02-01", {timing_path(): timing_json({"level1": {evil: entry}}), module_path(RELU): None})
    kbw("ingest", f"git:{history.path}", "--name", "lab/x")
    done = kbw("sql", "select problem, hardware from runs where problem like '7%'")
    assert evil in done.stdout
    assert "[red]" in done.stdout


def test_a_folder_of_ones_own_is_ranked_by_the_modules_of_a_source(kbw, home, tmp_path, history):
    kbw("ingest", f"git:{history.path}", "--name", "lab/x")
    host = tmp_path / "mine" / "MyBox"
    host.mkdir(parents=True)
    (host / "baseline_time_torch.json").write_text(timings(n19_ReLU=0.5))
    done = kbw("ingest", f"dir:{tmp_path / 'mine'}", "--problems", "lab/x", "--observed-at", "2026-10-01")
    assert done.returncode == 0, done.stderr
    rows = query(home, "select source, host, eligible, observed_at::date::varchar from runs where source = 'mine'")
    assert rows == [("mine", "MyBox", True, "2026-10-01")]


def test_a_folder_without_modules_is_kept_and_not_ranked(kbw, home, tmp_path):
    host = tmp_path / "mine" / "MyBox"
    host.mkdir(parents=True)
    (host / "baseline_time_torch.json").write_text(timings(n19_ReLU=0.5))
    assert kbw("ingest", f"dir:{tmp_path / 'mine'}").returncode == 0
    assert query(home, "select eligible, ineligible_reasons from runs") == [(False, ["workload_unresolved"])]


def test_a_folder_that_changed_is_a_new_revision(kbw, home, tmp_path):
    host = tmp_path / "mine" / "MyBox"
    host.mkdir(parents=True)
    file = host / "baseline_time_torch.json"
    for mean, at in ((0.5, 1_700_000_000), (0.4, 1_700_100_000)):
        file.write_text(timings(n19_ReLU=mean))
        os.utime(file, (at, at))
        assert kbw("ingest", f"dir:{tmp_path / 'mine'}").returncode == 0
    assert query(home, "select mean_ns, present from runs order by observed_at") == [(500_000, False), (400_000, True)]
    assert kbw("ingest", f"dir:{tmp_path / 'mine'}").stdout.startswith("mine: nothing new")


def help_pages(kbw) -> list[list[str]]:
    done = kbw("--help")
    commands = re.findall(r"^│ ([a-z]+) ", done.stdout, re.MULTILINE)
    return [["--help"], *([command, "--help"] for command in commands)]


def test_every_command_has_help_with_an_example(kbw):
    pages = help_pages(kbw)
    assert len(pages) >= 8
    for arguments in pages[1:]:
        done = kbw(*arguments)
        assert done.returncode == 0
        assert re.search(rf"Example: kbw {arguments[0]}\b", done.stdout), arguments

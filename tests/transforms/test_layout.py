"""Upstream's layout of paths, at the top of a repository and below a folder."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.histories import figures, module, normalised, shown, timing_json
from transforms.history.lineage import History, RevisionFiles
from transforms.layout import (
    TOP,
    Layout,
    layout_of,
    module_folders,
    path_bytes,
    path_text,
    roots,
    tells_of_roots,
    unread,
)
from transforms.timings.paths import timing_path

BELOW = Layout(root="Bench.v1/eval", modules="datasets/KernelBench")
RELU = "19_ReLU.py"

TRACKED = [
    ("results/timing/H100/baseline_time_torch.json", True),
    ("results/timing/baseline_time_matx3.json", True),
    ("results/timing/README.md", True),
    ("results/timing/H100/README.md", False),
    ("results/eval/H100/baseline_time_torch.json", False),
    ("KernelBench/level1/19_ReLU.py", True),
    ("KernelBench/level1/helper.py", False),
    ("KernelBench/level1/deeper/19_ReLU.py", False),
    ("requirements.txt", True),
    ("docs/requirements.txt", False),
    ("pyproject.toml", True),
    ("scripts/generate_baseline_time_modal.py", True),
    ("scripts/other.py", False),
    ("src/eval.py", True),
    ("src/kernelbench/timing.py", True),
    ("src/other/timing.py", False),
]


def moved(path: str) -> str:
    """A path of upstream's as ``BELOW`` has it."""
    head, _, rest = path.partition("/")
    return f"{BELOW.modules}/{rest}" if head == "KernelBench" else f"{BELOW.root}/{path}"


@pytest.mark.parametrize(("path", "tracked"), TRACKED)
def test_only_what_section_2_names_is_tracked(path, tracked):
    assert TOP.is_tracked(path) is tracked
    assert BELOW.is_tracked(moved(path)) is tracked


@pytest.mark.parametrize("path", [path for path, tracked in TRACKED if tracked])
def test_what_another_layout_names_is_not_tracked(path):
    assert not BELOW.is_tracked(path)
    assert not TOP.is_tracked(moved(path))
    assert not BELOW.is_tracked(moved(path).replace("Bench.v1", "Bench-v1").replace("datasets", "data"))


@pytest.mark.parametrize("layout", [TOP, BELOW])
@pytest.mark.parametrize("path", [path for path, tracked in TRACKED if tracked])
def test_every_folder_above_a_tracked_file_leads_to_it(layout, path):
    path = path if layout is TOP else moved(path)
    while (path := path.rpartition("/")[0]) and path != layout.timings.removesuffix("results/timing") + "src":
        assert layout.leads_to_tracked(path), path


@pytest.mark.parametrize("folder", ["docs", "results/eval", "results/timings", "KernelBench2", "src/other", "Kernel"])
def test_other_folders_lead_nowhere(folder):
    assert not TOP.leads_to_tracked(folder)


@pytest.mark.parametrize(
    ("path", "times"),
    [
        ("scripts/generate_baseline_time.py", True),
        ("scripts/generate_baseline_time_modal.py", True),
        ("src/eval.py", True),
        ("src/timing.py", True),
        ("src/kernelbench/eval.py", True),
        ("src/kernelbench/timing.py", True),
        ("src/utils.py", False),
        ("scripts/other.py", False),
        ("src/kernelbench/deeper/eval.py", False),
    ],
)
def test_the_harness_is_the_scripts_that_time(path, times):
    assert TOP.is_harness(path) is times
    assert BELOW.is_harness(moved(path)) is times


@pytest.mark.parametrize(
    ("path", "named"),
    [
        ("KernelBench/level1/19_ReLU.py", ("level1", RELU)),
        ("KernelBench/level_x/7_.py", ("level_x", "7_.py")),
        ("KernelBench/level/19_ReLU.py", None),
        ("KernelBench/other/19_ReLU.py", None),
        ("KernelBench/level1/ReLU.py", None),
        ("a/KernelBench/level1/19_ReLU.py", None),
    ],
)
def test_a_module_is_named_by_its_level_and_file(path, named):
    assert TOP.module_path(path) == named
    assert BELOW.module_path(moved(path)) == (named if path.startswith("KernelBench") else None)


def test_a_timing_file_is_known_by_its_path_from_the_folder_of_the_timing_files():
    assert TOP.below_timings("results/timing/H100/baseline_time_torch.json") == "H100/baseline_time_torch.json"
    assert BELOW.below_timings(f"{BELOW.root}/results/timing/x.json") == "x.json"
    assert timing_path(f"{BELOW.root}/results/timing/H100/baseline_time_torch.json", BELOW) == ("H100", "torch", "")
    assert timing_path(f"{BELOW.root}/results/timing/H100/baseline_time_torch.json") is None


def test_json_among_the_timing_files_is_figures_whatever_its_name():
    assert TOP.is_figures("results/timing/H100/summary.json")
    assert not TOP.is_figures("results/timing/README.md")
    assert not TOP.is_figures("results/timings/H100/summary.json")


def test_a_lineage_below_a_folder_gives_the_tables_that_it_would_give_at_the_top():
    tree = {
        "results/timing/H100_lab/baseline_time_torch.json": timing_json({"level1": {RELU: figures(1.0)}}),
        "results/timing/README.md": "Measured with PyTorch 2.5.0.",
        "KernelBench/level1/19_ReLU.py": module("ReLU"),
        "requirements.txt": "torch==2.5.0\n",
        "src/eval.py": "time\n",
    }
    top, blobs = shown(tree)
    (one,) = top.revisions
    files = {moved(path): blob for path, blob in one.files.items()}
    below = RevisionFiles(one.revision, one.committed_at, files, BELOW)
    found = normalised(History(top.source, None, (below,), below), blobs)
    expected = normalised(top, blobs)
    differing = {"path", "harness_digest"}
    for name, table in expected.tables.items():
        rows, same = (one.select(pl.exclude(differing)) for one in (found.tables[name], table))
        assert (rows.sort("blob") if name == "files" else rows).equals(same.sort("blob") if name == "files" else same)
    assert found.tables["runs"].height == 1
    assert found.tables["sources"]["requirements_torch"].to_list() == ["torch==2.5.0"]
    assert found.tables["problems"]["path"].to_list() == ["datasets/KernelBench/level1/19_ReLU.py"]


TREE = [
    "README.md",
    "KBench/results/timing/H100/baseline_time_torch.json",
    "KBench/results/timing/old/baseline_time_boxb.json",
    "KBench/results/timing/baseline_time.json",
    "results/timing/README.md",
    "tests/timings/baseline_time.json",
    "KBench/KernelBench/level1/19_ReLU.py",
    "made/level2/1_Fused.py",
    "made/level2/helper.py",
    "level3/2_Net.py",
]


def test_a_root_is_a_folder_that_holds_a_host_s_timing_file_below_results_timing():
    assert roots(TREE) == ["KBench"]
    assert roots(["results/timing/H100/baseline_time.json", *TREE]) == ["", "KBench"]
    assert roots(["results/timing/a/results/timing/b/baseline_time.json"]) == [""]
    assert roots(["results/timing/baseline_time.json", "x/results/timing/H100/summary.json"]) == []


def test_a_folder_of_modules_holds_levels_with_numbered_modules():
    assert module_folders(TREE) == ["", "KBench/KernelBench", "made"]


@pytest.mark.parametrize(
    ("root", "folders", "modules"),
    [
        ("", ["KernelBench", "made"], "KernelBench"),
        ("a/b", ["KernelBench", "a/KernelBench", "a/b/KernelBench"], "a/b/KernelBench"),
        ("a/b", ["KernelBench", "a/KernelBench"], "a/KernelBench"),
        ("a/b", ["KernelBench", "a/bKernelBench"], "KernelBench"),
        ("a", ["datasets/KernelBench"], "datasets/KernelBench"),
        ("", [""], ""),
        ("", ["made", "datasets"], "KernelBench"),
        ("a", [], "a/KernelBench"),
    ],
)
def test_modules_are_those_below_the_root_else_nearest_above_else_in_the_one_place(root, folders, modules):
    assert layout_of(root, folders) == Layout(root, modules)


def test_levels_at_the_top_are_read_there():
    layout = Layout(modules="")
    assert layout.module_path("level1/19_ReLU.py") == ("level1", "19_ReLU.py")
    assert layout.module_path("KernelBench/level1/19_ReLU.py") is None
    assert layout.leads_to_tracked("level1")


def test_what_is_named_as_a_timing_file_and_stands_elsewhere_is_unread():
    assert unread(TREE, Layout("KBench")) == ["tests/timings/baseline_time.json"]
    assert len(unread(TREE, TOP)) == 4


def test_paths_that_tell_of_no_root_may_be_left_out():
    telling = [path for path in TREE if tells_of_roots(path)]
    assert (roots(telling), module_folders(telling)) == (roots(TREE), module_folders(TREE))
    assert (unread(telling, TOP), len(telling)) == (unread(TREE, TOP), 7)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (b"results/timing/H100", "results/timing/H100"),
        ("résultats/\U0001f600".encode(), "résultats/\U0001f600"),
        (b"\xff", r"\xff"),
        (rb"\xff", r"\\xff"),
        (rb"\\xff", r"\\\\xff"),
        (b"\\\xff", r"\\\xff"),
        (b"a\xc3", r"a\xc3"),
        (rb"\x41 \xFF \n C:\temp", r"\x41 \xFF \n C:\temp"),
        ("\ud800".encode("utf-8", "surrogatepass"), r"\xed\xa0\x80"),
    ],
)
def test_a_path_that_is_no_text_is_written_so_that_no_text_reads_like_it(name, text):
    assert path_text(name) == text
    assert path_bytes(text) == name


CONFUSABLE = st.lists(
    st.one_of(st.sampled_from([b"\\", b"x", b"ff", b"8", b"\xff", b"\xc3", b"\xa9", b"/"]), st.binary(max_size=3))
).map(b"".join)


@given(CONFUSABLE)
@example(b"\\\xff")
def test_every_path_can_be_told_from_its_text(name):
    """So no two paths have one text; and a text that another stands for is none that a path has."""
    text = path_text(name)
    assert path_bytes(text) == name
    assert text.encode().decode() == text  # JSON and Arrow can hold it


@given(CONFUSABLE, CONFUSABLE)
def test_the_text_of_a_path_is_that_of_its_parts(folder, file):
    assert path_text(folder + b"/" + file) == f"{path_text(folder)}/{path_text(file)}"


@given(st.text(st.characters(exclude_characters="\\", exclude_categories=["Cs"])))
def test_text_without_backslashes_is_its_own(text):
    assert path_text(text.encode()) == text

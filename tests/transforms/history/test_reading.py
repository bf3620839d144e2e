"""What must be read of a source, each content once; and what is said of a file that could not be had."""

from __future__ import annotations

from tests.histories import COMPILED, EAGER, module, module_path, shown, timing_path, timings
from transforms.history.reading import merge, needed, not_fetched, not_fetched_module
from transforms.history.reasons import NOT_FETCHED
from transforms.timings.reader import read_timings

RELU = module_path("19_ReLU.py")
HERE, TUNED = timing_path("H"), timing_path("H", COMPILED)
README = "results/timing/README.md"


def test_every_content_of_the_wanted_series_is_read_once():
    history, _ = shown({HERE: "A", TUNED: "T"}, {HERE: "B", TUNED: "T"}, {HERE: "A"})
    files = [one.files for one in history.revisions]
    assert needed(history, [("H", EAGER)]).timings == (files[0][HERE], files[1][HERE])
    assert needed(history, [("H", COMPILED)]).timings == (files[0][TUNED],)


def test_every_module_and_declaration_is_read_whatever_is_wanted():
    before = {HERE: "A", RELU: module("ReLU"), README: "PyTorch 2.5.0", "requirements.txt": "torch==2.5.0"}
    after = {**before, RELU: module("ReLU", n=32), "pyproject.toml": "[project]"}
    history, _ = shown(before, head=after)
    found = needed(history, [])
    old, new = history.revisions[0].files, history.head.files
    assert found.timings == ()
    assert found.modules == ((RELU, old[RELU]), (RELU, new[RELU]))
    assert set(found.texts) == {old[README], old["requirements.txt"], new["pyproject.toml"]}


def test_a_file_that_could_not_be_had_is_refused_with_what_came_instead():
    whole = read_timings([("a", timings(n19_ReLU=1.0).encode())])
    found = merge([whole, not_fetched({"b": "half of it"})])
    assert found.entries["blob"].to_list() == ["a"]
    refused = found.files.filter(blob="b").to_dicts()[0]
    assert (refused["reason"], refused["detail"]) == (NOT_FETCHED, "half of it")


def test_a_module_that_could_not_be_had_has_its_name_and_the_reason():
    found = not_fetched_module(RELU, "nothing came")
    assert (found.level, found.file, found.problem) == ("level1", "19_ReLU.py", None)
    assert (found.reason, found.detail) == (NOT_FETCHED, "nothing came")

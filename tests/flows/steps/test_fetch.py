"""What new revisions and the head show is landed, each blob once, and the lineage last."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import pytest

from flows.sources.git import GitSource
from flows.sources.interface import Blob, RefusedBlob, SourceError
from flows.steps.discover import discover
from flows.steps.fetch import fetch
from tests.histories import LAB, GitHistory, fetched, timing_path, timings
from warehouse.landing import git_blob_id


class Withholding(GitSource):
    """A clone that does not give one file as its id says it is, or does not give it at all."""

    def __init__(self, path: str, withheld: str, detail: str | None) -> None:
        super().__init__(path, None, LAB)
        self._withheld, self._detail = git_blob_id(withheld.encode()), detail

    def read(self, blobs: Sequence[str]) -> Iterator[Blob | RefusedBlob]:
        for blob in super().read(blobs):
            if blob.id != self._withheld:
                yield blob
            elif self._detail:
                yield RefusedBlob(blob.id, self._detail)


def test_every_blob_of_the_revisions_and_the_head_lands_once_and_is_logged(workspace, source, history, started):
    landed = fetch(workspace, source, discover(workspace, source), started)
    # Two timing files, one module, and what the head declares.
    assert len(landed.blobs) == 4
    assert workspace.landing.missing(landed.blobs) == []
    lineage = workspace.landing.lineage(LAB)
    assert (lineage.revisions, lineage.head) == ([history.id(1), history.id(2)], history.id(3))
    lines = fetched(workspace.home)
    assert sorted(line.blob for line in lines) == sorted(landed.blobs)
    assert {line.transport for line in lines} == {"git"}
    assert fetch(workspace, source, discover(workspace, source), started).blobs == ()


def test_a_timing_script_is_known_by_its_id_and_not_fetched(workspace, history, started):
    history.commit("2025-01-04", {"src/eval.py": "import torch"})
    with_script = GitSource(str(history.path), None, LAB)
    landed = fetch(workspace, with_script, discover(workspace, with_script), started)
    with_script.close()
    tree: Mapping[str, str] = workspace.landing.tree(LAB, history.id(4)).files
    assert tree["src/eval.py"] not in landed.blobs
    assert workspace.landing.missing([tree["src/eval.py"]]) == [tree["src/eval.py"]]


def test_a_blob_that_comes_wrong_is_refused_remembered_and_wanted_again(workspace, history, started):
    source = Withholding(str(history.path), timings(n19_ReLU=1.0), "gave 7 bytes of another")
    landed = fetch(workspace, source, discover(workspace, source), started)
    (refused,) = landed.refused.values()
    assert (refused.revision, refused.path) == (history.id(2), timing_path())
    assert workspace.landing.lineage(LAB).refused == landed.refused
    assert discover(workspace, source).wanting == landed.refused
    source.close()


def test_a_blob_that_does_not_come_ends_the_ingest_before_the_lineage_counts(workspace, history, started):
    source = Withholding(str(history.path), timings(n19_ReLU=1.0), None)
    with pytest.raises(SourceError, match=f"did not give {timing_path()}"):
        fetch(workspace, source, discover(workspace, source), started)
    assert workspace.landing.lineage(LAB) is None
    source.close()


def test_what_a_rewritten_branch_showed_is_kept_whole_as_a_former_lineage(workspace, source, history, started):
    fetch(workspace, source, discover(workspace, source), started)
    history.branch("main", 1)
    history.commit("2025-01-04", {timing_path(): timings(n19_ReLU=2.0)})
    rewritten = GitSource(str(history.path), None, LAB)
    fetch(workspace, rewritten, discover(workspace, rewritten), started)
    rewritten.close()
    lineage = workspace.landing.lineage(LAB)
    assert lineage.revisions == [history.id(1), history.id(4)]
    (former,) = lineage.former
    assert (former.revisions, former.head) == ([history.id(1), history.id(2)], history.id(3))
    assert former.noticed_at == started.at.replace(tzinfo=None)


def test_a_source_without_any_timing_file_is_refused(workspace, started, tmp_path):
    readme = GitHistory(tmp_path / "readme")
    readme.commit("2025-01-01", {"results/timing/README.md": "soon"})
    source = GitSource(str(readme.path), None, LAB)
    with pytest.raises(SourceError, match="no revision shows a results/timing"):
        fetch(workspace, source, discover(workspace, source), started)
    source.close()

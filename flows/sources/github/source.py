"""The source itself: its chain, its trees, its files (DESIGN.md section 2)."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from urllib.parse import quote

from flows.sources.github.answers import Commit, CommitAnswer, RepositoryAnswer
from flows.sources.github.chain import Branch
from flows.sources.github.client import Client
from flows.sources.github.hosts import Hosts
from flows.sources.github.lines import Line, Lines, lines_of, up_to
from flows.sources.github.memory import Dated, Memory, Shared
from flows.sources.github.patience import Patience
from flows.sources.github.transfers import Transfers
from flows.sources.github.trees import Trees
from flows.sources.interface import Blob, Chain, RefusedBlob, Revision, SourceError, shared
from flows.sources.kinds import Opening, SourceOptions
from transforms.layout import TOP, Layout, tells_of_roots

_REPOSITORY = re.compile(r"[\w-][\w.-]*/(?!\.{1,2}$)[\w.-]+", re.ASCII)
_NOT_IN_REFS = re.compile(r"\.\.|[\x00-\x20\x7f~^:?*\[\\]|^[/-]|/$|//|@\{")


class GitHubSource:
    """A lineage read from GitHub.

    An ingest that finds nothing new makes one request, for the head; the answer to it, 304, spares the hourly limit
    where a ``GITHUB_TOKEN`` is set.
    """

    kind = "github"

    def __init__(
        self,
        spec_repo: str,
        ref: str | None = None,
        name: str | None = None,
        cache: Path | None = None,
        listener: Callable[[str], None] = lambda words: None,
        lines: Lines = lambda root: (),
        *,
        patience: Patience | None = None,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], None] | None = None,
    ) -> None:
        """Name a repository, ``owner/repo``. Raises SourceError where there can be no such thing.

        Nothing is asked yet, with one exception: whether ``ref`` is the default branch, on which the lineage's name
        hangs, unless ``name`` or ``cache`` says it.
        ``cache`` is a folder for what spares requests; ``lines``, asked for where there is news, spare more.
        ``listener`` hears of progress and waits, from any thread; ``clock`` (seconds since 1970) and ``sleep``, which
        must let it go on, are a test's.
        """
        _refuse_impossible(spec_repo, ref)
        hosts = Hosts.from_environment()
        self.url: str | None = f"https://github.com/{spec_repo}"
        self._ref = ref
        at_ref = f"{spec_repo}@{ref}" if ref else spec_repo
        self._client = Client(name or at_ref, spec_repo, ref, hosts, patience or Patience(), listener, clock, sleep)
        self._branch, self._api = f"{hosts.api}/{spec_repo}@{ref or 'HEAD'}", hosts.api
        self._cache = cache
        self._lines = lines
        self._recall(TOP)
        self.layout = TOP
        self._listings = self._memory
        self._head: Commit | None = None
        self._just_asked = False
        self.name = name or (spec_repo if self._is_default_branch() else at_ref)
        self._etag = self._learnt.etag
        self._trees = Trees(self._client, self._timing)
        self._files: dict[str, dict[str, str]] = {}
        self._transfers = Transfers(self._client, self.name, self._files)

    @property
    def requests_made(self) -> dict[str, int]:
        """Requests sent so far, by kind: ``api``, ``raw``, ``archive``."""
        return self._client.requests_made

    def listings(self) -> Iterator[Collection[str]]:
        """See Source. Of older commits, the newest that touched upstream's own place, and the one before it."""
        if self._head is None:
            self._head, self._just_asked = self._ask_for_head(), True
        head = self._head
        paths = self._listings.listing(head.tree)
        if paths is None:
            paths = [path for path in self._trees.paths(head.tree) if tells_of_roots(path)]
            self._listings.keep_listing(head.tree, paths)
        yield paths
        touched = self._client.pages("/commits", list[CommitAnswer], sha=head.id, path=TOP.timings, per_page=1)
        for page in islice(touched, 1):
            for commit in (answer.read() for answer in page):
                for tree in (commit.tree, *commit.parents[:1]):
                    yield self._trees.paths(tree)

    def read_at(self, layout: Layout, name: str) -> None:
        """See Source. Trees that were listed to find the layout are not asked for again."""
        if layout != self.layout:
            self._recall(layout)
            self._trees.read_at(layout, self._timing)
            self._files.clear()
            if not self._just_asked:
                self._etag = self._learnt.etag
        self.layout, self.name = layout, name

    def revisions(self, known: Sequence[str]) -> Chain:
        """See Source. Side branches that were merged are not followed.

        The branch lives here: what it does not contain cannot be reached, whatever is left in common.
        """
        head = self._ask_for_head()
        chain = self._as_learnt(known, head) if head == self._learnt.head else None
        if chain is None:
            try:
                self._learn(known, head)
            finally:
                self._memory.keep(self._learnt)
                self._shared.keep_timing(self._timing)
            chain = self._as_learnt(known, head)
            assert chain is not None
        elif self._etag != self._learnt.etag:
            self._learnt.etag = self._etag
            self._memory.keep(self._learnt)
        self._memory.keep_trees_of({head.id, *(revision.id for revision in chain.new)})
        return chain

    def files(self, revision: Revision) -> Mapping[str, str]:
        """See Source."""
        if revision.id not in self._files:
            files = self._memory.tree(revision.id) or self._shared.listing(revision.id)
            if files is None:
                files = self._list(revision.id)
            self._files[revision.id] = files
        return self._files[revision.id]

    def read(self, blobs: Sequence[str]) -> Iterator[Blob | RefusedBlob]:
        """See Source. ``files`` must have been asked before: a file is fetched from a commit that shows it."""
        return self._transfers.read(blobs)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _recall(self, layout: Layout) -> None:
        """Take up what is remembered, of the branch and of its API: it is apart for each layout."""
        self._memory = Memory(self._cache, self._branch, layout)
        self._shared = Shared(self._cache, self._api, layout)
        self._learnt = self._memory.learnt()
        self._timing = self._shared.timing()
        self._tree_of = {commit: dated.tree for commit, dated in self._learnt.dated.items()}

    def _list(self, commit: str) -> dict[str, str]:
        """Ask for what a commit shows, and remember it: for this ingest at least, for others where it is proven."""
        self._client.say(f"{self.name}: listing the files of {commit[:12]}")
        tree = self._tree_of.get(commit, commit)
        found = self._trees.files(tree)
        self._memory.keep_tree(commit, found.files)
        if found.proven or tree == commit:
            self._timing[commit] = found.timing
            self._shared.keep_listing(commit, found.files)
            self._shared.keep_timing(self._timing)
        return found.files

    def _is_default_branch(self) -> bool:
        """Whether the ref is the branch that is read where none is named; asked once, and then remembered."""
        if self._ref is None:
            return True
        if self._learnt.is_default is None:
            try:
                answer = self._client.ask("", RepositoryAnswer).value
            except BaseException:
                self._client.close()
                raise
            assert answer is not None
            self._learnt.is_default = answer.default_branch == self._ref
            self._memory.keep(self._learnt)
        return self._learnt.is_default

    def _ask_for_head(self) -> Commit:
        """The head, by one conditional request; none where it was asked for just now."""
        if self._just_asked and self._head is not None:
            self._just_asked = False
            return self._head
        before = self._learnt.head
        etag = self._learnt.etag if before else None
        answer = self._client.ask(f"/commits/{quote(self._ref or 'HEAD')}", CommitAnswer, etag)
        if answer.value is not None:
            self._etag = answer.etag
            self._head = answer.value.read()
            return self._head
        assert before is not None  # 304 is believed where an ETag was sent
        self._head = before
        return before

    def _as_learnt(self, known: Sequence[str], head: Commit) -> Chain | None:
        """The chain, where all of it that is not known was learnt before."""
        start = shared(known, self._learnt.chain)
        dated = self._learnt.dated
        if not all(commit in dated for commit in self._learnt.chain[start:]):
            return None
        new = tuple(Revision(commit, dated[commit].at) for commit in self._learnt.chain[start:])
        return Chain(new=new, head=Revision(head.id, head.at), unreachable=tuple(known[start:]))

    def _learn(self, known: Sequence[str], head: Commit) -> None:
        """Look the chain up, back to the newest known revision that it contains: of a rewritten one, to the fork."""
        lines = self._lines(self.layout.root)
        branch = Branch(self._client, self._trees, head, {*known, *(commit for line in lines for commit in line)})
        found = branch.revisions()[::-1]
        before = self._up_to(branch, known, lines)
        chain = [*before, *(commit.id for commit in found)]
        if not chain:
            where = self._ref or "the default branch"
            raise SourceError(f"{self.name}: no commit of {where} holds anything under {self.layout.timings}")
        self._tree_of |= {commit.id: commit.tree for commit in (*found, head)}
        learnt = self._learnt
        learnt.etag, learnt.head, learnt.chain = self._etag, head, chain
        learnt.dated |= {commit.id: Dated(commit.at, commit.tree) for commit in found}

    def _up_to(self, branch: Branch, known: Sequence[str], lines: Sequence[Line]) -> Sequence[str]:
        """The revisions up to the one that the walk came to: of this lineage, else of another that has it."""
        if branch.reached is None:
            return ()
        if branch.reached in known:
            return known[: known.index(branch.reached) + 1]
        line = up_to(lines, branch.reached)
        dated = {commit: Dated(at, branch.tree(commit)) for commit, at in line.items()}
        self._learnt.dated = dated | self._learnt.dated
        self._tree_of = {commit: one.tree for commit, one in self._learnt.dated.items()} | self._tree_of
        return list(line)


def from_spec(rest: str, options: SourceOptions, opening: Opening) -> GitHubSource:
    """See flows.sources.kinds.Opener."""
    repository, _, branch = rest.partition("@")
    cache = opening.home.root / "github" if opening.remember else None
    return GitHubSource(
        repository, branch or None, options.name, cache, opening.listener, partial(lines_of, opening.home)
    )


def _refuse_impossible(repository: str, ref: str | None) -> None:
    if not _REPOSITORY.fullmatch(repository):
        raise SourceError(f"{repository}: not a repository of GitHub; write github:OWNER/REPO, e.g. {_EXAMPLE}")
    if ref is not None and (not ref or _NOT_IN_REFS.search(ref)):
        raise SourceError(f"{repository}: {ref!r} cannot be a branch, tag or commit")


_EXAMPLE = "github:ScalingIntelligence/KernelBench"

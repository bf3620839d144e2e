"""The design is in the repository and true: what cites it finds its section, and its pictures name what exists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools import build_pictures
from tools.build_pictures import Entity, Relation
from transforms.contracts.objects import OBJECTS, TABLES
from transforms.contracts.references import references

ROOT = Path(__file__).resolve().parent.parent
DESIGN = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
SECTIONS = {int(number): title for number, title in re.findall(r"^## (\d+)\. (.+)$", DESIGN, re.MULTILINE)}
CITING = ("flows", "transforms", "sql", "warehouse", "tests", "tools", "docs")
# "DESIGN.md section 4", "DESIGN sections 4 and 5", "design.md, section 16"; a line may end in between.
_CITATION = re.compile(
    r"\bDESIGN(?:\.md)?,?[\s#-]+sections?[\s#-]+((?:\d+(?:[\s#-]*(?:,|and|to)[\s#-]+)?)+)", re.IGNORECASE
)
TYPES = {
    "text": "String",
    "bigint": "Int64",
    "double": "Float64",
    "boolean": "Boolean",
    "timestamp": "Time",
    "list": "Texts",
}


def cited(text: str) -> set[int]:
    """The numbers of the sections that a text cites."""
    return {int(number) for match in _CITATION.finditer(text) for number in re.findall(r"\d+", match[1])}


def citing_files() -> Iterator[Path]:
    for path in sorted(path for room in CITING for path in (ROOT / room).rglob("*")):
        if path.suffix in {".py", ".sql", ".md", ".json", ".toml", ".csv"} and "data" not in path.parts:
            yield path
    yield from (ROOT / name for name in ("README.md", "CONTRIBUTING.md", "pyproject.toml", "prefect.yaml", "Makefile"))


def section(number: int) -> str:
    """The text of one section, its heading left out."""
    return re.split(r"^## .+$", DESIGN, flags=re.MULTILINE)[1:][number - 1]


def not_built() -> dict[int, str]:
    """What the table at the end says is not built yet, by section."""
    rows = re.findall(r"^\| (\d+) \| (.+) \|$", DESIGN.partition("## Not built yet")[2], re.MULTILINE)
    return {int(number): rule for number, rule in rows}


def test_the_sections_are_numbered_1_to_16_in_order():
    assert list(SECTIONS) == list(range(1, 17))


def test_citations_are_found_however_they_are_written():
    text = (
        "DESIGN section 2; DESIGN sections 4 and 5; design.md, section 6; DESIGN.md\n# section 9; DESIGN sections 1, 3"
    )
    assert cited(text) == {1, 2, 3, 4, 5, 6, 9}


def test_every_section_that_is_cited_exists():
    citations = {path: cited(path.read_text(encoding="utf-8")) for path in citing_files()}
    assert sum(map(bool, citations.values())) > 40, "hardly a file cites the design: nothing was tried"
    missing = {str(path.relative_to(ROOT)): numbers - set(SECTIONS) for path, numbers in citations.items()}
    assert {path: numbers for path, numbers in missing.items() if numbers} == {}


def test_the_design_rests_on_nothing_outside_the_repository():
    assert not re.search(r"\.\./|\bshared/|`(?:seeds|vectors|facts|cases|upstream)/|/(?:work|tmp|home)/", DESIGN)


def test_links_within_the_design_lead_to_headings():
    headings = re.findall(r"^## (.+)$", DESIGN, re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
    assert set(re.findall(r"\]\(#([^)]+)\)", DESIGN)) <= anchors


DIAGRAMS = build_pictures.diagrams()
ENTITIES = [entity for diagram in DIAGRAMS for entity in diagram.entities]
RELATIONS = [(diagram, relation) for diagram in DIAGRAMS for relation in diagram.relations]


@pytest.mark.parametrize("entity", ENTITIES, ids=lambda entity: entity.name)
def test_a_table_of_the_pictures_has_the_columns_of_its_contract(entity: Entity):
    columns = OBJECTS[entity.name].columns
    for column in entity.columns:
        assert column.name in columns, f"{entity.name} has no column {column.name}"
        assert columns[column.name].type == TYPES[column.type], f"{entity.name}.{column.name}"


@pytest.mark.parametrize("entity", ENTITIES, ids=lambda entity: entity.name)
def test_a_table_of_the_pictures_has_the_key_of_its_contract(entity: Entity):
    drawn = {column.name for column in entity.columns if "PK" in column.keys}
    assert drawn == set(OBJECTS[entity.name].key)


@pytest.mark.parametrize(("diagram", "relation"), RELATIONS, ids=lambda part: str(part))
def test_both_ends_of_a_relation_exist(diagram: build_pictures.Diagram, relation: Relation):
    drawn = {entity.name: {column.name: column for column in entity.columns} for entity in diagram.entities}
    for here, there in relation.columns:
        assert "FK" in drawn[relation.start][here].keys or "PK" in drawn[relation.start][here].keys
        assert there in drawn[relation.end]
    told = {there for _, there in relation.columns}
    assert told & {c.name for c in drawn[relation.end].values() if "PK" in c.keys}, "a relation leads to a key"


@pytest.mark.parametrize(("diagram", "relation"), RELATIONS, ids=lambda part: str(part))
def test_a_relation_of_the_pictures_is_one_that_the_contracts_say(diagram: build_pictures.Diagram, relation: Relation):
    here, there = zip(*relation.columns, strict=True)
    assert (here, relation.end, there) in references(relation.start)


@pytest.mark.parametrize("diagram", DIAGRAMS, ids=lambda diagram: diagram.name)
def test_every_foreign_key_of_the_pictures_leads_somewhere(diagram: build_pictures.Diagram):
    followed = {(relation.start, here) for relation in diagram.relations for here, _ in relation.columns}
    marked = {(entity.name, c.name) for entity in diagram.entities for c in entity.columns if "FK" in c.keys}
    assert marked == {end for end in followed if end in marked} and marked


def test_the_picture_shows_every_table():
    assert set(TABLES) == {entity.name for entity in DIAGRAMS[0].entities}


@pytest.mark.parametrize("name", build_pictures.PICTURES)
def test_a_picture_is_that_of_the_design(name: str):
    path = build_pictures.FOLDER / name
    assert path.read_text(encoding="utf-8") == build_pictures.picture(name), "run `make docs`"
    assert f"](pictures/{name})" in DESIGN


def test_section_15_names_the_commands_that_there_are_and_no_other():
    from flows.cli.app import COMMANDS

    named = {name for told in re.findall(r"`([^`]+)`", section(15).partition("\n- ")[0]) for name in [told.split()[0]]}
    not_yet = set(re.findall(r"`(\w+)`", not_built()[15]))
    assert named == set(COMMANDS) | not_yet
    assert not_yet & set(COMMANDS) == set(), "a command that is built stands among those that are not"


def test_what_is_not_built_yet_belongs_to_a_section():
    assert set(not_built()) <= set(SECTIONS)


@pytest.mark.parametrize("name", ["records", "staleness", "quarantine", "workloads", "record_history", "runs"])
def test_the_names_that_others_rely_on_exist(name: str):
    """Section 9's second table."""
    (row,) = re.findall(rf"^\| `{name}` \| (.+) \|$", section(9), re.MULTILINE)
    told = [column for part in re.findall(r"`([^`]+)`", row) for column in part.split(", ")]
    assert set(told) <= set(OBJECTS[name].columns)


def test_every_view_of_section_10_exists():
    table = section(10).partition("\n\nWhat is derived")[0]
    named = {name for row in re.findall(r"^\| (`.+?) \|", table, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)}
    assert len(named) >= 11
    assert named <= set(OBJECTS)


GUIDE = (ROOT / "docs" / "reading.md").read_text(encoding="utf-8")


def reasons(text: str) -> set[str]:
    """The names that begin the rows of a text's tables."""
    return set(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE))


def flags_after(text: str, words: str) -> set[str]:
    """The names in the paragraph that begins with ``words``."""
    return set(re.findall(r"`(\w+)`", text.partition(words)[2].strip().partition("\n\n")[0]))


def test_reasons_and_flags_of_section_4_are_those_of_the_readers_guide():
    """The guide also has the reasons that are not the readers': bytes that never came, and a broken contract."""
    from transforms.timings.rules import FLAGS

    assert reasons(section(4)) == reasons(GUIDE) - {"not_fetched", "contract"}
    flags = flags_after(section(4), "Flags on runs")
    assert flags == flags_after(GUIDE, "## What is remarked on and kept") == {*FLAGS, "unknown_mode"}
    described = OBJECTS["runs"]["flags"].description
    assert [flag for flag in sorted(flags) if flag not in described] == []


def test_the_numbers_of_section_5_are_those_that_tests_hold():
    from tests.journeys.test_upstream import EXPECTED

    told = " ".join(section(5).partition("Upstream's history")[2].split())
    for name, words in (
        ("revisions", "{} revisions"),
        ("runs", "{} runs"),
        ("present", "{} of them present"),
        ("hosts", "{} hosts"),
        ("modes", "{} modes"),
        ("environments", "{} environments"),
        ("workloads", "{} workloads"),
        ("computations", "{} computations"),
        ("no_module", "{} runs without a module"),
        ("problem_changed", "{} present runs whose problem has changed"),
    ):
        assert words.format(f"{EXPECTED[name]:,}") in told, name

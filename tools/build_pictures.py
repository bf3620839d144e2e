"""Draw the design's pictures: ``docs/pictures/*.svg`` from the mermaid diagrams in ``docs/design.md``.

Pages that know mermaid draw the diagrams themselves; these files are for those that do not. What is drawn is read from
the design; only where a box goes is said here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parent.parent
DESIGN = ROOT / "docs" / "design.md"
FOLDER = ROOT / "docs" / "pictures"
PICTURES = ("path.svg", "tables.svg", "views.svg")

COLUMNS = {
    "tables": (
        ("files", "quarantine", "pinned_problems", "ingests", "meta"),
        ("sources", "revisions", "presence", "interop", "harnesses"),
        ("environments", "runs", "problems", "problem_versions", "host_gpus", "twin_hosts"),
        ("gpus", "implementations", "protocols", "workloads", "problem_codes"),
    ),
    "views": (
        (
            "headroom_v1",
            "headroom_v2",
            "records",
            "record_holders",
            "record_history",
            "leaderboard",
            "last_places",
            "source_health",
        ),
        ("record_events", "runs", "environments", "workloads", "sources", "declared_software", "workload_changes"),
        (
            "baseline_history",
            "staleness",
            "noise",
            "removals",
            "baselines",
            "repeatability",
            "coverage",
            "binding_doubts",
        ),
    ),
}
"""Which boxes stand under each other. Boxes that are joined stand in one column or in two beside each other."""

ROW, HEAD, WIDTH, GUTTER, GAP, EDGE = 18, 26, 210, 96, 26, 24
STYLE = """
    text { font: 12px ui-sans-serif, system-ui, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328; }
    .page { fill: #ffffff; stroke: #d0d7de; } .box { fill: #f6f8fa; stroke: #8c959f; }
    .head { fill: #0b5cad; } .name { fill: #ffffff; font-weight: 600; }
    .key { font-weight: 600; } .quiet { fill: #59636e; font-size: 11px; } .room { fill: #59636e; font-weight: 600; }
    .line { fill: none; stroke: #6e7781; stroke-width: 1.2; } .many { fill: #6e7781; }
    @media (prefers-color-scheme: dark) {
        text { fill: #e6edf3; } .page { fill: #0d1117; stroke: #30363d; } .box { fill: #161b22; stroke: #6e7681; }
        .head { fill: #1f6feb; } .quiet, .room { fill: #9198a1; } .line { stroke: #8b949e; } .many { fill: #8b949e; }
    }
"""


@dataclass(frozen=True)
class Column:
    """A line of a box; ``keys`` are of PK and FK."""

    type: str
    name: str
    keys: frozenset[str]


@dataclass(frozen=True)
class Entity:
    """A table or view."""

    name: str
    columns: tuple[Column, ...]

    def row(self, name: str) -> int:
        """Which line of the box a column is."""
        return [column.name for column in self.columns].index(name)


@dataclass(frozen=True)
class Relation:
    """Rows of ``start`` name a row of ``end`` by pairs of columns, here and there."""

    start: str
    end: str
    columns: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        return f"{self.start}.{self.columns[-1][0]}-{self.end}"


@dataclass(frozen=True)
class Diagram:
    """One erDiagram of the design."""

    name: str
    entities: tuple[Entity, ...]
    relations: tuple[Relation, ...]

    def __str__(self) -> str:
        return self.name


def diagrams() -> list[Diagram]:
    """The erDiagrams of the design, in its order."""
    blocks = _mermaid("erDiagram")
    return [Diagram(name, _entities(text), _relations(text)) for name, text in zip(COLUMNS, blocks, strict=True)]


def _mermaid(kind: str) -> list[str]:
    return re.findall(rf"^```mermaid\n{kind}\b.*?\n(.*?)^```$", DESIGN.read_text("utf-8"), re.MULTILINE | re.DOTALL)


def _entities(text: str) -> tuple[Entity, ...]:
    found = []
    for name, body in re.findall(r"^ +(\w+) \{\n(.*?)^ +\}$", text, re.MULTILINE | re.DOTALL):
        lines = re.findall(r"^ +(\w+) (\w+)(?: ([PFK, ]+))?$", body, re.MULTILINE)
        columns = (Column(kind, column, frozenset(re.findall(r"\w+", keys))) for kind, column, keys in lines)
        found.append(Entity(name, tuple(columns)))
    return tuple(found)


def _relations(text: str) -> tuple[Relation, ...]:
    found = []
    for start, end, label in re.findall(r'^ +(\w+) [|}][|o]--[|o][|{] (\w+) : "?([^"\n]+)"?$', text, re.MULTILINE):
        pairs = (part.split(" = ") for part in label.split(", "))
        found.append(Relation(start, end, tuple((pair[0], pair[-1]) for pair in pairs)))
    return tuple(found)


@dataclass(frozen=True)
class Box:
    """Where a table is drawn; ``place`` is its column of boxes."""

    entity: Entity
    place: int
    x: int
    y: int

    def line(self, column: str) -> int:
        """Height of the middle of a column's line."""
        return self.y + HEAD + self.entity.row(column) * ROW + ROW // 2

    @property
    def bottom(self) -> int:
        """Height of its lower edge."""
        return self.y + HEAD + len(self.entity.columns) * ROW


def _boxes(diagram: Diagram) -> dict[str, Box]:
    known = {entity.name: entity for entity in diagram.entities}
    boxes: dict[str, Box] = {}
    for place, names in enumerate(COLUMNS[diagram.name]):
        y = EDGE + 6 * (place % 2)  # so that lines of neighbours do not run on as one
        for name in names:
            boxes[name] = Box(known[name], place, EDGE + GUTTER // 2 + place * (WIDTH + GUTTER), y)
            y = boxes[name].bottom + GAP
    return boxes


def _tables(diagram: Diagram) -> str:
    boxes = _boxes(diagram)
    lanes: dict[int, int] = {}
    drawn = [line for relation in diagram.relations for line in _joined(relation, boxes, lanes)]
    drawn += [line for box in boxes.values() for line in _box(box)]
    width = 2 * EDGE + len(COLUMNS[diagram.name]) * (WIDTH + GUTTER)
    return _svg(width, max(box.bottom for box in boxes.values()) + EDGE, drawn)


def _joined(relation: Relation, boxes: dict[str, Box], lanes: dict[int, int]) -> Iterator[str]:
    """A line from the naming column to the named one, through a lane of its own in the gutter between them."""
    start, end = boxes[relation.start], boxes[relation.end]
    here, there = relation.columns[-1]
    right = end.place > start.place
    gutter = start.place + 1 if right else start.place
    lane = lanes[gutter] = lanes.get(gutter, 0) + 1
    first = EDGE - 4 if gutter == 0 else EDGE + gutter * (WIDTH + GUTTER) - GUTTER // 2 + 14
    turn = first + (lane * 7) % (GUTTER - 24)
    from_x, to_x = start.x + (WIDTH if right else 0), end.x + (WIDTH if end.place < start.place else 0)
    from_y, to_y = start.line(here), end.line(there)
    yield f'<path class="line" marker-end="url(#one)" d="M{from_x},{from_y} H{turn} V{to_y} H{to_x}"/>'
    yield f'<circle class="many" cx="{from_x}" cy="{from_y}" r="2.6"/>'


def _box(box: Box) -> Iterator[str]:
    height = box.bottom - box.y
    yield f'<rect class="box" x="{box.x}" y="{box.y}" width="{WIDTH}" height="{height}" rx="4"/>'
    yield f'<path class="head" d="M{box.x},{box.y + HEAD} v-22 q0,-4 4,-4 h{WIDTH - 8} q4,0 4,4 v22 z"/>'
    yield _text(box.x + 10, box.y + 17, box.entity.name, "name")
    for column in box.entity.columns:
        y = box.line(column.name) + 4
        yield _text(box.x + 10, y, column.name, "key" if "PK" in column.keys else "")
        marks = " ".join(mark for mark in ("PK", "FK") if mark in column.keys)
        yield _text(box.x + WIDTH - 10, y, marks or column.type, "quiet", "end")


def _path() -> str:
    """The flowchart: one column a room, its stages under each other."""
    (text,) = _mermaid("flowchart")
    rooms = re.findall(r'^ +subgraph \w+\["([^"]+)"\]\n(.*?)^ +end$', text, re.MULTILINE | re.DOTALL)
    width, height, gap, across = 204, 54, 30, 40
    at: dict[str, tuple[int, int, int]] = {}
    drawn = []
    for place, (room, body) in enumerate(rooms):
        x = EDGE + place * (width + across)
        drawn.append(_text(x + width // 2, EDGE + 12, room, "room", "middle"))
        for line, (node, label) in enumerate(re.findall(r'^ +(\w+)\["([^"]+)"\]$', body, re.MULTILINE)):
            at[node] = place, x, EDGE + 26 + line * (height + gap)
            drawn += _stage(x, at[node][2], width, height, label.split("<br/>"))
    for start, end in re.findall(r"^ +(\w+) --> (\w+)$", text, re.MULTILINE):
        drawn.append(_arrow(at[start], at[end], width, height, across))
    bottom = max(y for _, _, y in at.values()) + height + EDGE
    return _svg(2 * EDGE + len(rooms) * (width + across) - across, bottom, drawn)


def _arrow(start: tuple[int, int, int], end: tuple[int, int, int], width: int, height: int, across: int) -> str:
    (place, x, y), (other, to_x, to_y) = start, end
    if place == other:
        return f'<path class="line" marker-end="url(#one)" d="M{x + width // 2},{y + height} V{to_y}"/>'
    middle = f"M{x + width},{y + height // 2} h{across // 2} V{to_y + height // 2} H{to_x}"
    return f'<path class="line" marker-end="url(#one)" d="{middle}"/>'


def _stage(x: int, y: int, width: int, height: int, words: Sequence[str]) -> Iterator[str]:
    yield f'<rect class="box" x="{x}" y="{y}" width="{width}" height="{height}" rx="6"/>'
    yield _text(x + width // 2, y + 23, words[0], "key", "middle")
    yield _text(x + width // 2, y + 41, words[1], "quiet", "middle")


def _text(x: int, y: int, words: str, kind: str = "", anchor: str = "start") -> str:
    style = f' class="{kind}"' if kind else ""
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}"{style}>{escape(words)}</text>'


def _svg(width: int, height: int, drawn: Sequence[str]) -> str:
    arrow = (
        '<defs><marker id="one" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path class="many" d="M0,0.5 L8,4 L0,7.5 z"/></marker></defs>'
    )
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    page = f'<rect class="page" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="6"/>'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}>',
        f"<style>{STYLE}</style>",
        arrow,
        page,
        *drawn,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def picture(name: str) -> str:
    """The text of one picture."""
    if name == "path.svg":
        return _path()
    return next(_tables(diagram) for diagram in diagrams() if f"{diagram.name}.svg" == name)


def main() -> None:
    """Write every picture."""
    FOLDER.mkdir(exist_ok=True)
    for name in PICTURES:
        (FOLDER / name).write_text(picture(name), encoding="utf-8")


if __name__ == "__main__":
    main()

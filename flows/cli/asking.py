"""What commands ask for alike: one problem by any of its names, one moment."""

from __future__ import annotations

from datetime import UTC, datetime, time
from typing import TYPE_CHECKING, Annotated

import typer

from warehouse.home import WarehouseError

if TYPE_CHECKING:
    from warehouse.database import Reader

AsOfOption = Annotated[
    str | None,
    typer.Option("--as-of", help="As it stood then (UTC): a day means its end, e.g. 2025-07-10.", show_default=False),
]
_CANDIDATES = 8


def moment(as_of: str | None) -> datetime:
    """The moment asked for, in UTC without a zone attached; now where none is. A day means its end."""
    if as_of is None:
        return datetime.now(UTC).replace(tzinfo=None)
    try:
        found = datetime.fromisoformat(as_of)
    except ValueError:
        raise typer.BadParameter(f"{as_of}: not a day or time; write 2025-07-10 or 2025-07-10T12:00:00Z") from None
    if len(as_of) == len("2025-07-10"):
        return datetime.combine(found.date(), time.max)
    return found.replace(tzinfo=None) if found.tzinfo is None else found.astimezone(UTC).replace(tzinfo=None)


def one_problem(reader: Reader, wanted: str) -> dict[str, str]:
    """``level`` and ``problem`` of the one problem that a name means; else WarehouseError with the candidates.

    ``level3/28``, ``28_VisionTransformer``, ``VisionTransformer`` mean it; of part of a name only one may be left.
    """
    found = reader.query("problems_named", wanted=wanted).records()
    best = [row for row in found if row["rank"] == found[0]["rank"]] if found else []
    if len(best) == 1 and best[0]["rank"] != _LOOKS_ALIKE:
        return {"level": best[0]["level"], "problem": best[0]["problem"]}
    names = [f"{row['level']}/{row['problem'].removesuffix('.py')}" for row in best[:_CANDIDATES]]
    if not names:
        raise WarehouseError(
            f"{wanted}: no such problem; `kbw coverage` and `kbw records --limit 0` show what there is"
        )
    more = f" and {len(best) - _CANDIDATES} more" if len(best) > _CANDIDATES else ""
    what = (
        "no such problem; did you mean"
        if best[0]["rank"] == _LOOKS_ALIKE
        else f"{len(best)} problems match; name one of"
    )
    raise WarehouseError(f"{wanted}: {what} {', '.join(names)}{more}")


_LOOKS_ALIKE = 3

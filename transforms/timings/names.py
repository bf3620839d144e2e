"""Which problem an entry's key names (DESIGN section 4)."""

import re

import polars as pl

__all__ = ["loose_name", "problem_name", "with_problems"]

_FILE_NAME = re.compile(r"[0-9]+_.*\.py", re.DOTALL)
_LOOSE_LEVEL = re.compile(r"level[_ -]+(?P<number>[0-9]+)")


def problem_name(level: str, key: str) -> str | None:
    """The problem's file name, or None when the key does not name a problem of the level, or the level is no name.

    A key that starts with its number stands as it is. Otherwise it may be a path, with slashes, whose last part is a
    file name; every other part that starts like a level must then be this level.
    """
    if _LOOSE_LEVEL.fullmatch(level):
        return None
    if _FILE_NAME.fullmatch(key):
        return key
    *folders, name = key.split("/")
    agrees = all(folder == level for folder in folders if folder.startswith("level"))
    return name if agrees and _FILE_NAME.fullmatch(name) else None


def loose_name(level: str, key: str) -> tuple[str, str]:
    """The level and file name that a level and key would name, were they written as upstream writes them.

    `level_1` for `level1`, and a key without `.py`. Only a module of that name makes it so. A level in a path must
    agree, as in `problem_name`: where it does not, the key stays as it is, which no module is called.
    """
    level = _strict_level(level)
    *folders, name = key.split("/")
    if any(_strict_level(folder) != level for folder in folders if folder.startswith("level")):
        return level, key
    return level, name if name.endswith(".py") else f"{name}.py"


def _strict_level(level: str) -> str:
    loose = _LOOSE_LEVEL.fullmatch(level)
    return f"level{loose['number']}" if loose else level


def with_problems(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows with `problem`, and `shared` where another key of the same level names the same problem."""
    key = pl.col("problem_key")
    loose = pl.col("level").str.contains(f"^{_LOOSE_LEVEL.pattern.replace('?P<number>', '')}$")
    stands = key.str.contains(r"\A[0-9]+_") & key.str.ends_with(".py") & ~loose
    rows = rows.with_columns(problem=pl.when(stands).then(key), shared=pl.lit(False))
    paths = rows.filter(pl.col("problem").is_null()).select("level", "problem_key").unique()
    if paths.is_empty():
        return rows
    names = [problem_name(*path) for path in paths.iter_rows()]
    named = paths.with_columns(pl.Series("named", names, pl.String))
    rows = rows.join(named, on=["level", "problem_key"], how="left", maintain_order="left")
    rows = rows.with_columns(pl.coalesce("problem", "named").alias("problem")).drop("named")
    problem = pl.col("problem")
    # Keys that stand as they are differ from one another: only a path can name what another key names.
    return rows.with_columns(shared=problem.is_not_null() & (pl.len().over("file", "level", problem) > 1))

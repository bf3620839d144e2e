"""Which problem an entry's key names (DESIGN section 4)."""

import re

import polars as pl

__all__ = ["problem_name", "with_problems"]

_FILE_NAME = re.compile(r"[0-9]+_.*\.py", re.DOTALL)


def problem_name(level: str, key: str) -> str | None:
    """The problem's file name, or None when the key does not name a problem of the level.

    A key that starts with its number stands as it is. Otherwise it may be a path, with slashes, whose last part is a
    file name; every other part that starts like a level must then be this level.
    """
    if _FILE_NAME.fullmatch(key):
        return key
    *folders, name = key.split("/")
    agrees = all(folder == level for folder in folders if folder.startswith("level"))
    return name if agrees and _FILE_NAME.fullmatch(name) else None


def with_problems(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows with `problem`, and `shared` where another key of the same level names the same problem."""
    key = pl.col("problem_key")
    stands = key.str.contains(r"\A[0-9]+_") & key.str.ends_with(".py")
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

"""The steps of an ingest, a module each with what it returns. Their order is written once, in ``flows.sequence``.

Polars, pandera and duckdb are imported by the steps that need them: a check that finds nothing new must be quick.
"""

"""Benchmarks of the design's targets (DESIGN.md section 16): each a ratio to a named floor or peer in the same run."""

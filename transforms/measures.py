"""Constants of the index's rules that our own columns and its manifests share (DESIGN.md section 8)."""

NORMAL_95 = 1.96
"""Half-width of a normal distribution's central 95 % in standard deviations, as the public index uses it."""

NS_PER_MS = 1e6
"""Timing files report milliseconds; tables and manifests hold nanoseconds."""

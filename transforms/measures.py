"""Constants that several rooms share: of the index's rules (DESIGN.md section 8), and of ours."""

NORMAL_95 = 1.96
"""Half-width of a normal distribution's central 95 % in standard deviations, as the public index uses it."""

NS_PER_MS = 1e6
"""Timing files report milliseconds; tables and manifests hold nanoseconds."""

STALE_AFTER_DAYS = 180
"""A figure older than this is stale, unless the settings say otherwise (DESIGN.md section 10)."""

JSON_INTEGER_LIMIT = 2**53 - 1
"""The largest whole number up to which every one is a double of its own: what JSON can count to (RFC 8785, D)."""

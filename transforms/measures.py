"""Constants that several rooms share: of the index's rules (DESIGN.md section 8), and of ours."""

NORMAL_95 = 1.96
"""Half-width of a normal distribution's central 95 % in standard deviations, as the public index uses it."""

STUDENT_95 = (
    *(12.706204736, 4.302652730, 3.182446305, 2.776445105, 2.570581836, 2.446911851, 2.364624252),
    *(2.306004135, 2.262157163, 2.228138852, 2.200985160, 2.178812830, 2.160368656, 2.144786688),
    *(2.131449546, 2.119905299, 2.109815578, 2.100922040, 2.093024054, 2.085963447, 2.079613845),
    *(2.073873068, 2.068657610, 2.063898562, 2.059538553, 2.055529439, 2.051830516, 2.048407142),
)
"""Half-width of Student's central 95 % for 1, 2, ... 28 degrees of freedom: 2 to 29 trials, of which a mean's interval
is made of it (DESIGN.md section 10)."""

NS_PER_MS = 1e6
"""Timing files report milliseconds; tables and manifests hold nanoseconds."""

STALE_AFTER_DAYS = 180
"""A figure older than this is stale, unless the settings say otherwise (DESIGN.md section 10)."""

JSON_INTEGER_LIMIT = 2**53 - 1
"""The largest whole number up to which every one is a double of its own: what JSON can count to (RFC 8785, D)."""

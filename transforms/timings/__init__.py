"""From the bytes of timing files to entries and refusals (DESIGN section 4).

`reader.read_timings` is the way in. One file goes through `typed` when it has the shape upstream writes, through
`document` and `careful` otherwise; `rules` then judges the entries of many files at once. `paths` reads host and mode
off a file's path, `rounding` says what interval a reported figure stands for.
"""

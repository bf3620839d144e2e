"""Reasons that a file is refused for before it can be read; apart, so that nothing heavy comes with them."""

NOT_FETCHED = "not_fetched"
"""The bytes that came were not those of the blob's id, by any route."""

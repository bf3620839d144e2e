"""The public index's manifests and their digests, from facts at a pin (DESIGN.md section 8)."""

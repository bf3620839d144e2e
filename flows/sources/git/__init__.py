"""``git:PATH[@ref]``: a local clone, bare or not, or a bundle. ``process`` is the one place that starts git."""

from flows.sources.git.source import GitSource, from_spec

__all__ = ["GitSource", "from_spec"]

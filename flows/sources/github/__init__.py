"""``github:owner/repo[@ref]``: a lineage read from the REST API, the raw host and archives (DESIGN.md section 2)."""

from flows.sources.github.patience import Patience
from flows.sources.github.source import GitHubSource, from_spec

__all__ = ["GitHubSource", "Patience", "from_spec"]

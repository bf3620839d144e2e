"""Landing: every blob kept byte for byte, write-once, under its git id (DESIGN.md section 3).

    landing/blobs/ab/cdef...          a blob as committed; its bytes hash to its name
    landing/stated/ab/cdef...         what a source that does not carry the blob says of it (the sample)
    landing/trees/<source>/<rev>.json path -> blob of one revision, with its date
    landing/lineages/<source>.json    which revisions a source showed, in order, and its head; and what it showed
                                      before it was rewritten
    landing/fetches/<ingest>.jsonl    the fetch log: what came when, how, how large, with its SHA-256
    landing/ingests/<ingest>.json     the log of ingests
    landing/damaged/...               what was not what had been kept, under the path it had
    landing/format.json               says that all but the blobs stand under a digest, which is compared on reading

The whole database can be made again from here alone.
"""

from warehouse.landing.damage import LandingDamaged
from warehouse.landing.records import (
    Fetched,
    FormerLineage,
    IngestRecord,
    Lineage,
    Refused,
    Told,
    Tree,
    fetched_line,
)
from warehouse.landing.store import BlobForm, Landing, git_blob_id

__all__ = [
    "BlobForm",
    "Fetched",
    "FormerLineage",
    "IngestRecord",
    "Landing",
    "LandingDamaged",
    "Lineage",
    "Refused",
    "Told",
    "Tree",
    "fetched_line",
    "git_blob_id",
]

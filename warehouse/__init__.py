"""The only code that opens DuckDB or writes files: landing, publishing, snapshots."""

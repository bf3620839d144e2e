"""One file per table, view, check or query. Each starts with what it is, its grain, what it reads, its tie rule."""

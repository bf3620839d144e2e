"""One strict, ordered, keyed contract per published table, and the words that describe each column."""

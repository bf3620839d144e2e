"""From what each revision shows to runs: when a figure appeared, how long it was present, which code it measured."""

"""From what each revision showed to runs: when a figure appeared, how long it stood, which code it measured."""

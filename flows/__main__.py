"""``python -m flows`` is ``kbw``."""

from flows.cli import main

main()

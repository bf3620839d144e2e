"""The commands of ``kbw``, each a module under its own name. None imports another: what they share stands above."""

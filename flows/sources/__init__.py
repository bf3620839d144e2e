"""Where figures come from: ``git:``, ``dir:`` and ``sample`` behind one interface."""

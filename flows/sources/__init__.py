"""Where figures come from: a kind of source a module, behind one interface."""

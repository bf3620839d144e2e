"""The error of a broken contract, apart from the contracts so that it can be caught without importing them."""


class ContractBroken(Exception):
    """A table does not have the shape its contract states: nothing of the batch may be published."""

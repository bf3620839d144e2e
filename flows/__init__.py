"""What runs, in which order, with which retries: the ``kbw`` command, the Prefect flows, the sources."""

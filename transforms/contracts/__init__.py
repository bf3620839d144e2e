"""One strict, ordered, keyed contract per published table and view, and the words that describe each column.

``columns`` and ``contract`` are what contracts are made of, ``fields`` the columns that several share; the contracts
themselves stand by subject in ``lineages``, ``problems``, ``runs``, ``rankings``, ``measurements`` and ``registry``,
and all of them in ``objects``. ``frames`` builds tables in their columns, ``validate`` holds tables to them.
"""

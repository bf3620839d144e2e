"""Pure functions, bytes to Arrow tables: reading, identity, history, contracts; the registry as data files."""

"""Host side of a module: serialised positions and frames, and the cache of compiled modules."""

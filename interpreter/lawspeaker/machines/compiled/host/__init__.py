"""The side of whoever calls a module: situations and frames as bytes, and modules that are kept."""

"""Runtime library of a module: memory layout, RNG, and routines independent of the rules."""

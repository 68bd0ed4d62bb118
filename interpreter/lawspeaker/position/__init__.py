"""Game state as plain data: numbered pieces and places, keyed randomness, faults."""

"""A position of a game as a plain value: pieces and places by number, luck, faults."""

"""Extracts a first draft of a game from a book: players, components, rule-like sentences."""

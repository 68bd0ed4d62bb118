"""A book read for what a game can be begun with: players, components, sentences like rules."""

"""Tellings of one game held against each other, rule by rule."""

"""Sentence alignment of two books in different languages."""

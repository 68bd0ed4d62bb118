"""Foundations: source files and spans, diagnostics, tree walking, caches, localised phrases."""

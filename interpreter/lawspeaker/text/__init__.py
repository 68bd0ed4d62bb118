"""Reads and writes rule files: YAML with spans, the code inside as syntax trees, one canonical
layout."""

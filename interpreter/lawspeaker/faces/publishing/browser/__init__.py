"""Shims for native libraries that are missing in the browser (Pyodide)."""

"""Checks rules against their source books: sentences, fingerprints, coverage."""

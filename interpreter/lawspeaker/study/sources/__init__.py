"""Rules held against the books they come from: sentences, fingerprints, coverage."""

"""Rule files as text: YAML with places, the code inside it as trees, one rulebook, one layout."""

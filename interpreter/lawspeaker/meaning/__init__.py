"""Semantic analysis, rulebook to typed program: variant overlay, names, types, information flow."""

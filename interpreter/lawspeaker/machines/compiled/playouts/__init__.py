"""Playouts inside a module: flat trials, tree search, playout policies, and learning them."""

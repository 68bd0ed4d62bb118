"""Options tried out inside a module: playouts, the tree, policies and how they are learned."""

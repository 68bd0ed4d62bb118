"""Planning passes: choose algorithms and data representations before code generation."""

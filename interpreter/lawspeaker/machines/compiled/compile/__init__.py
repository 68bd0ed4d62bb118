"""Code generation: translates statements and expressions of the rules into the middle form."""

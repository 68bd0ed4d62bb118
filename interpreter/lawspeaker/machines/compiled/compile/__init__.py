"""From the rules to a module: what each statement and each expression becomes."""

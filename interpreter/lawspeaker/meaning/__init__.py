"""From the text of rules to what they mean: variants laid over them, names, types, secrets."""

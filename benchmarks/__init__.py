"""Hand-written baselines, and what drives them."""

"""A match in progress: decisions, events, views, replay, undo and explanations."""

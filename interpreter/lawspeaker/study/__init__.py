"""What rules do and say: many games, editions side by side, rules held against their books."""

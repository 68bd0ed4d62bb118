"""Computer players: bots, solvers, and reinforcement-learning environments."""

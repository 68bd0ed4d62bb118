"""Players that are programs: bots, and environments for programs that learn."""

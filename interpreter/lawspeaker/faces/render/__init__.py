"""What people are shown: one module for each kind of thing."""

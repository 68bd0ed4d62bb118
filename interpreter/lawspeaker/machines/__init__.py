"""The machines that run a typed program: one for people, one for numbers, equal in all they do."""

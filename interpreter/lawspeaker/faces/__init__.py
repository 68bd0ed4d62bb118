"""What people use: the terminal, the browser, the command line, and what they are shown there."""

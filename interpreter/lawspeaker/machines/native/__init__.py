"""A compiled game as C.

A module in the middle form needs nothing but one memory of its own. That makes it a portable
program. What one use of it never does is left out (`pruning`), and each function becomes one of C
(`writer`), for the compiler of this computer (`processor`) or for a graphics card (`card`). There
is one description of a game; these files know nothing of rules.
"""

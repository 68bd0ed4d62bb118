"""A compiled game as C.

A module in the middle form needs nothing but one memory of its own. That makes it a portable
program. What one use of it never does is left out (`middle/pruning`), and each function becomes one
of C (`writer`), for the compiler of this computer (`processor`) or for a graphics card (`card`).
What is the same for every game is C and CUDA in files (`sources`). There is one description of a
game; these files know nothing of rules.
"""

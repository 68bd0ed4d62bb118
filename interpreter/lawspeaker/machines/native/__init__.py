"""Back end that writes a compiled game as C or CUDA.

A module in the middle form needs nothing but one memory of its own, so it is a portable program.
Code that one use never executes is removed (`middle/pruning`), and each function becomes one of C
(`writer`), for the C compiler of this computer (`cpu`) or for a GPU (`cuda`). The code common
to all games is C and CUDA in files (`sources`). This package knows nothing of rules.
"""

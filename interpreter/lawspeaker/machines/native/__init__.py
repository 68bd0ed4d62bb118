"""A compiled game as C: its module read, and written down once more.

A module of the compiled machine imports nothing, goes from block to block, and has one fixed
memory. That makes it a portable program. It is read function by function (`reader`), what one use
of it never does is left out (`pruning`), and each function becomes one of C (`writer`), for the
compiler of this computer (`processor`) or for a graphics card (`card`). There is one description of
a game; these files know nothing of rules.
"""

"""A reading desk: the books of a game beside its rules, and the changes of files that cite them.

`reading` tells what is cited and what is not; `citing` makes the changes; `aligned` says which
sentences of two books correspond.
"""

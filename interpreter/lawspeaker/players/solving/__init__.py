"""Exact solvers for small games, from the whole game tree.

size        whether a game is small enough
knowledge   keys of information sets
positions   perfect information: backward induction with a transposition table
tree        imperfect information: extensive-form tree with information sets
regrets     equilibrium of such a tree by counterfactual regret minimisation (CFR+)
answers     best responses and exploitability
"""

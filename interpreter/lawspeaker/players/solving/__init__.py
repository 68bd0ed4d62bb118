"""Small games, worked out: what is best follows from the whole tree, and nothing is guessed.

size        whether a game is small enough
knowledge   what a seat knows, as a text by which it finds what to do
positions   games in which nothing is hidden: each position is worth something, exactly
tree        games in which something is: all that can happen, and what seats can tell apart
regrets     an equilibrium of such a tree, by counterfactual regrets
answers     what somebody wins who knows how the others play
"""

"""A review of a game: what an experienced developer would list, each with its evidence.

looking     games looked at closely: what else could have been chosen, who led, what came again
stakes      what the best option of a decision is worth against the worst
skill       what thinking is worth, and how much is left to luck
evidence    what many games say, by who played them
testing     statements held against samples, corrected for how many there are
findings    all that is looked for, ordered by weight
witness     games up to the moment that shows something
comparing   what got better and what got worse from one version to another
"""

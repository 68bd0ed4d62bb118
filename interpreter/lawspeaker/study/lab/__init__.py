"""The lab: simulates many games and analyses them statistically.

choice_names alternatives that can be chosen, and their names
record       one game, reduced to counts
figures      basic statistics in pure Python
games        many games, as columns of numbers
broken       games that aborted on a fault
exact_sums   exact integer sums that can be combined
statistics   means and shares with confidence intervals
tally        summary of many games
measures     measures of a game
varying      parameters of the rules set to other values
sweep        the same games under each of these values
proving      bots against weaker ones
skill        advantage of searching bots over random players
outlook      win probabilities by playouts after every decision
kingmaking   decisions between others, by who cannot win
calibration  win probabilities fitted to the outcomes of games
drama        when games are decided
variety      how different games are
skill_ladder what each of some bots wins against the one below
rows         data of each game, for other tools
tuning       values that bring a measure to a target
"""

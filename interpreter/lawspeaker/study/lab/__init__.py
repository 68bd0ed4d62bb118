"""The lab: many games, and what they say about the rules.

chosen       what can be chosen in a game, and what it is called
record       one game, boiled down to what is counted
figures      the first of them, added up by Python alone
games        many games, as columns of numbers
broken       those that broke off, counted apart
exact_sums   sums without rounding, which can be added up by several and put together
statistics   means and shares with their intervals
tally        many games summed up
measures     what can be measured of a game
varying      a named choice of the rules set to other values
sweep        the same games under each of these values
proving      what a bot wins against weaker ones
skill        how much better those do who think than random players
rows         games one by one, for those who sum up themselves
tuning       values that bring a measure to a target
"""

"""The lab: many games, and what they say about the rules.

statistics   means and shares with their intervals
record       one game, boiled down to what is counted
tally        many records, summed up at any time
varying      a named choice of the rules set to other values
sweep        the same games under each of these values
tuning       values that bring a measure to a target
"""

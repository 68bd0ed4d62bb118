"""Experiments: complete lab runs as generators that report progress.

Each yields steps with the progress and partial results, and returns the final result. The
terminal shows a progress bar, the browser partial results, and a notebook waits for the end.
Closing the generator stops the games.

Requests are validated before any game is played: `NotPossible` says what is wrong.

steps        progress of an experiment
requests     validation of requests: rules, players, measures
proving      searching bots against weaker ones
simulating   many games
sweeping     the same games under other values
tuning       values that bring measures to targets
dramas       when games are decided
varieties    how different games are
ladders      bots against the ones below them
reviewing    the data of a review
"""

"""Experiments: whole runs of the lab, for whoever wants to watch them. An edge.

Each is a generator. It yields steps, that is how far it is and what is known by then, and returns
the result. The terminal makes a bar of them, the browser shows what is known, and a notebook
waits for the end. Whoever stops reading stops the games.

What is asked for is looked at before any game is played: `NotPossible` says what is wrong with it.

steps        how far an experiment is
wishes       by which rules, who plays, what is measured
proving      bots that think play against weaker ones
simulating   many games
sweeping     the same games under other values
tuning       values that bring measures to targets
reviewing    all that a review is made of
"""

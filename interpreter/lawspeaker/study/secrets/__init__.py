"""Dynamic test of secrecy (non-interference): twin games that differ only in what a seat cannot
know are played in lockstep, and everything the seat is given is compared.

twins           pairs of games that a seat cannot distinguish, and their continuation in lockstep
visible_events  events visible to a seat, and which of them may reveal information
api_output      the output of the Python interface to a seat, as texts
trial           many games and twins: what was compared, revealed and leaked
"""

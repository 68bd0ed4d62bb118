"""Whether a game keeps its secrets, found out by playing: twin games, which differ only in what a
seat cannot know, are played on in step, and all that the seat is given is compared.

twins      two games that a seat cannot tell apart, and how they go on in step
deeds      what happened before a seat's eyes, and which deeds tell it something
given      what the Python interface gives a seat, as texts
trial      many games, many twins: what was compared, what was told, what leaked
"""

"""A language service: what an editor wants to know of rules while they are being written.

It knows nothing of editors, protocols and files; texts are passed in, places are spans. `lexicon`
has everything that has a name, `occurrences` where each of them is named, `analysis` both for some
rules as they are now. On these stand `hovering`, `completion`, `renaming`, `fixes`, `outline`,
`colours`, `lenses` and `hints`; `manual` has what the manual says of a word.
"""

"""Reading desk: a book beside its rules, with edits that add citations.

`reading` lists cited and uncited sentences; `citing` makes edits; `aligned` links corresponding
sentences of two books.
"""

"""The language service: analyses of rules for editors.

It depends on no editor, protocol or file system; texts are passed in, places are spans. `lexicon`
is the symbol table, `occurrences` the index of references, `analysis` both for some rules as they
are now. On these build `hovering`, `completion`, `renaming`, `fixes`, `outline`, `colours`,
`lenses` and `hints`; `manual` looks words up in the manual.
"""

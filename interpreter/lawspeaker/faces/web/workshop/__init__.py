"""The workshop: rules in the making, next to a table that already follows them.

`bench` has the processes in which visitors' rules are compiled and played, within bounds.
`drafts` says what rules in the making are, and `keeping` stores those that are shared by link.
`examining`, `position`, `paired` and `polishing` are the work itself, done on the bench.
`session` is one visitor's socket; `reference` and `names` are what the editor looks up and
completes.
"""

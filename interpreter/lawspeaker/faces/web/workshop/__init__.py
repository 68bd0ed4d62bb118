"""The workshop: rules in the making, next to a table that already follows them.

`worker_pool` has the processes in which visitors' rules are compiled and played, within bounds.
`drafts` says what rules in the making are, and `draft_store` keeps those that are shared by link.
`jobs`, `language`, `position`, `paired`, `differing`, `laboratory` and `trial_games` are the work
itself, done by the workers: `language` is what the editor asks while somebody writes. `routes` are
the pages and what they fetch, `visit` is one visitor's socket; `reference` is the manual.
"""

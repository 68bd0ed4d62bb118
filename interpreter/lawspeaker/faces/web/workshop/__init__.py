"""The workshop: rules in the making, next to a table that already follows them.

`worker_pool` has the processes in which visitors' rules are compiled and played, within bounds.
`drafts` says what rules in the making are, and `draft_store` keeps those that are shared by link.
`jobs` are what the workers do while somebody writes (`language`, `position`, `figures` and
`trial_games` are the work itself), `studies` what takes very many games (`paired`, `differing`,
`mixing`, `laboratory`). `visit` is one visitor, `studying` one who has rules studied, too; `fields`
reads what they send. `routes` are the pages and what they fetch; `reference` is the manual.
"""

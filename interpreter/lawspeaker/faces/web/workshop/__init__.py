"""The workshop: an editor for rules, next to a table that follows them.

`worker_pool` has the confined processes in which visitors' rules are compiled and played. `drafts`
defines drafts, and `draft_store` stores them. `jobs` are the quick tasks of the workers during
editing (`language`, `position`, `figures` and `trial_games` implement them), `studies` those that
take very many games (`paired`, `differing`, `mixing`, `laboratory`). `visit` is the session of one
visitor, `studying` one with studies; `fields` parses messages. `routes` are the pages and
endpoints; `editor_reference` is the manual.
"""

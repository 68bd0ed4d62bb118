"""The server for language models and other programs (Model Context Protocol).

`server` has the tools and `enclosure` the folder that they may use. `jobs` are executed in the
confined workers of the workshop (`faces/web/workshop/worker_pool`), with the limits of visitors'
drafts: rules are never read in the server itself.
"""

"""Games that are handed on as files: pages that need no server.

The pages are those of the server, by the same files. Only what they speak to is another:
`static/js/server.js` of the server is replaced by one of the files in `static/` here. `house` is
the table behind them, `bench` the workshop.
"""

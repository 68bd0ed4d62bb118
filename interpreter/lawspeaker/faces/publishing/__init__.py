"""Publishes games as static files: pages that need no server.

The pages are the server's own files, with another back end: the server's `static/js/server.js` is
replaced by one of the files in `static/` here. `house` is the table behind the pages, `bench` the
workshop.
"""

"""Publishes games as static files: pages that need no server.

The pages are the server's own files, with another back end: the server's `static/js/server.js` is
replaced by one of the files in `static/` here. `table_worker` is the table behind the pages,
`workshop_worker` the workshop.
"""

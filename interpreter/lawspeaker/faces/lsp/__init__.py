"""The language server for editors (Language Server Protocol).

`server` handles requests, `translate` converts spans and diagnostics to protocol types, `commands`
executes the commands of code lenses. The analyses are in `editing`.
"""

"""The language service for editors, over the Language Server Protocol.

`translate` turns spans and findings into what the protocol has for them, `server` answers requests,
`commands` does what code lenses offer. What is answered is the business of `editing`.
"""

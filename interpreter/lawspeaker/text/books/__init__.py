"""The books that rules come from: their sentences by number and fingerprint, and citations of them.

`outline` is the parsed text of a book, `fingerprint` the hash of a sentence, `reference` the syntax
that names a sentence (`Landing § 3`), `lock` the file that stores all of this, and `citing`
resolves citations as people write them.
"""

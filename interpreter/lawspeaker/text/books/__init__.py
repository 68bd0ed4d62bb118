"""The books that rules come from: their sentences by number and print, and how rules cite them.

`outline` is a book's text taken apart, `fingerprint` what is kept of a sentence, `reference` how a
sentence is named (`Landing § 3`), `lock` the file in which all of this is kept, and `citing` turns
citations as people write them into citations in full.
"""

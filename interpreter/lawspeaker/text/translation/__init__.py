"""Texts of the rules in other languages, kept in files of their own.

`places` knows where texts stand in a file of rules, `naming` how translations are called, `files`
reads one, `matching` finds for each text its translation, and `weaving` puts the two together.
`updating` brings a translation file up to date, and `splitting` makes such files out of rules that
say everything in one place.
"""

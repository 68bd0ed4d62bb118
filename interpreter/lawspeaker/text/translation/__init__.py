"""Translations of rules, kept in files of their own.

`places` locates translatable texts in a rule file, `naming` names translation files, `files` parses
one, `matching` finds the translation of each text, and `weaving` merges the two. `updating`
synchronises a translation file with the rules, and `splitting` extracts such files from
multilingual rules.
"""

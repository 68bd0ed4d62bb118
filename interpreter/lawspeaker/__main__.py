"""Runs the command `lawspeaker` as `python -m lawspeaker`."""

from lawspeaker.faces.cli import main

main()

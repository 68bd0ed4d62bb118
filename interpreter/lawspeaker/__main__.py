"""`python -m lawspeaker` is the command `lawspeaker`."""

from lawspeaker.cli import main

main()

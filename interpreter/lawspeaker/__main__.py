"""`python -m lawspeaker` is the command `lawspeaker`."""

from lawspeaker.faces.cli import main

main()

"""User interfaces: terminal, browser, editors, command line, and the renderers they share."""

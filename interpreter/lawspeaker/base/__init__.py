"""What everything stands on: places in files, messages as data, phrases in four languages."""

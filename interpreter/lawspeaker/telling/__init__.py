"""Presentation shared by all front ends: event log as sentences, table layout, labels."""

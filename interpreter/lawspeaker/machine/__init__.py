"""The reference machine: runs a typed program, one reply at a time."""

from lawspeaker.fault import RuleFault
from lawspeaker.machine.machine import Machine, machine_for, sparing_machine_for

__all__ = ["Machine", "RuleFault", "machine_for", "sparing_machine_for"]

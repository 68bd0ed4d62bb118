"""The reference machine: an interpreter that runs a typed program, one reply at a time."""

from lawspeaker.machines.reference.machine import Machine, machine_for
from lawspeaker.position.fault import RuleFault

__all__ = ["Machine", "RuleFault", "machine_for"]

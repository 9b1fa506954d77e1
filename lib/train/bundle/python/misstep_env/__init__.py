"""Rollouts that start at the state before a wrong step, paid r_o AND r_e.

The package subclasses the sandbox environment of the trainer it is put into. Without that trainer it imports too, over a
stand-in with the same surface, so that its rules can be tested anywhere. Standard library only.
"""

from .engine import HAS_ENGINE
from .environment import MisstepPrefixEnv, MisstepPrefixEnvConfig
from .judge import Judge, Verdict, read_answer, step_text

__all__ = [
    "HAS_ENGINE",
    "Judge",
    "MisstepPrefixEnv",
    "MisstepPrefixEnvConfig",
    "Verdict",
    "read_answer",
    "step_text",
]

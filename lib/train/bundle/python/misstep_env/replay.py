"""Restoring the state before a step: the recorded commands again, each output compared exactly."""

from __future__ import annotations

import re
from typing import Any

MAX_CHARACTERS = 10_000
EDGE_CHARACTERS = 5_000
TOO_LONG = "The output is too long to show whole. Use a narrower command, or write the output to a file and look at parts of it."
_EXIT = re.compile(r"\n\n\(exit_code=(-?\d+)\)\Z")


class Mismatch(RuntimeError):
    """The state was not reached: a command printed something else than was recorded."""


def observation(stdout: str, stderr: str, exit_code: int) -> str:
    """What the policy was shown for these streams when the prefix was recorded."""
    output = f"{stdout}\n{stderr}" if stdout and stderr else stdout or stderr
    shown = output or "(no output)"
    if len(output) > MAX_CHARACTERS:
        left_out = len(output) - 2 * EDGE_CHARACTERS
        shown = (
            f"{TOO_LONG}\n\n{output[:EDGE_CHARACTERS]}\n[{left_out} characters left out]\n{output[-EDGE_CHARACTERS:]}"
        )
    return f"{shown}\n\n(exit_code={exit_code})"


def seen(ran: Any, basis: str) -> str:
    """The text that is compared. `observation`: all the policy saw; `output`: the terminal's part alone."""
    stdout, stderr = ran.stdout or "", ran.stderr or ""
    if basis == "output":
        return (stdout + stderr).rstrip("\n")
    return observation(stdout, stderr, ran.exit_code)


class _Heard:
    """A sandbox whose last answer is kept."""

    def __init__(self, backend: Any):
        self._backend = backend
        self.last: Any = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._backend, name)

    def run_command(self, command: str, timeout: int | None = None) -> Any:
        given = {} if timeout is None else {"timeout": timeout}
        self.last = self._backend.run_command(command, **given)
        return self.last


def restore(env: Any, setup: list[str], steps: list[dict[str, Any]]) -> None:
    """Runs `setup`, then `steps` through the environment's own shell. Raises Mismatch at the first difference."""
    backend = env._backend
    heard = _Heard(backend)
    env._backend = heard
    try:
        for command in setup:
            env._execute_bash({"command": command})
            if heard.last is None or heard.last.exit_code != 0:
                raise Mismatch(f"the sandbox could not be made ready: {command}")
        for number, step in enumerate(steps, 1):
            heard.last = None
            env._execute_bash({"command": step["command"]})
            where = f"command {number} of {len(steps)}"
            if heard.last is None:
                raise Mismatch(f"{where} was not run")
            expected_code = step.get("exit_code")
            if expected_code is not None and heard.last.exit_code != expected_code:
                raise Mismatch(f"{where} ended with exit code {heard.last.exit_code}, recorded was {expected_code}")
            if seen(heard.last, step.get("basis", "observation")) != step["expected"]:
                raise Mismatch(f"{where} printed something else than was recorded")
    finally:
        if env._backend is heard:
            env._backend = backend

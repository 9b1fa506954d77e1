"""The environment: prefix, hidden tests, behavior judge, and one reward made of both."""

from __future__ import annotations

import asyncio
import math
import os
import secrets
import time
from dataclasses import dataclass
from typing import Any, ClassVar

from .engine import EngineEnv, EngineEnvConfig, StepResult
from .judge import Judge, Verdict
from .replay import Mismatch, restore
from .steplog import StepLog

# Failures that the trainer's own environment knows how to end a rollout with.
_OWN_FAILURES = {"SandboxOOMError", "SandboxLostError"}
# Longest part of the tests' output that is kept in the step log.
_KEPT_LOG = 20_000


class TestsSaidNothing(RuntimeError):
    """The tests ran and wrote no number."""


class MisstepPrefixEnv(EngineEnv):
    """A rollout that goes on from a replayed and verified prefix.

    Keys of a row's `env_config` that it reads: `prefix_id`, `setup`, `replay`, `step_limit`, `window`, `judge`. Rows
    without a prefix start at the task, rows without a judge are paid for the tests alone.

    What makes no statement (a prefix that is not reached, tests that do not run, a judge that does not answer) is marked
    in the step's metadata and in the step log as left out. The trainer's interface knows no reward but a number, so it is
    handed 0 for it; whoever reads the files back takes the mark.
    """

    config_name = "misstep_prefix"

    def __init__(
        self,
        step_log_dir: str = "",
        judge_url: str = "",
        judge_model: str = "",
        judge_key_env: str = "MISSTEP_JUDGE_KEY",
        judge_temperature: float | None = None,
        judge_timeout: float = 120.0,
        judge_tries: int = 4,
        tests_at_limit: bool = True,
        replay_tries: int = 2,
        judge: Any = None,
        **kept: Any,
    ):
        super().__init__(**kept)
        self._log = StepLog(step_log_dir)
        self._tests_at_limit = tests_at_limit
        self._replay_tries = max(1, replay_tries)
        url = os.environ.get("MISSTEP_JUDGE_URL", "") or judge_url
        model = os.environ.get("MISSTEP_JUDGE_MODEL", "") or judge_model
        self._judge = judge
        if judge is None and url and model:
            key = os.environ.get(judge_key_env) or None
            self._judge = Judge(url, model, key, judge_temperature, judge_timeout, judge_tries)
        self._forget()

    def _forget(self) -> None:
        self._episode = secrets.randbits(48)
        self._prefix: int | None = None
        self._limit: int | None = None
        self._window = 5
        self._prompt: dict[str, Any] | None = None
        self._taken: list[dict[str, Any]] = []
        self._attempts = 0
        self._left_out: str | None = None
        self._outcome: float | None = None
        self._tests_log: str | None = None
        self._verdict: Verdict | None = None
        self._reward: float | None = None
        self._ended: str | None = None

    async def reset(self, task_id: str | None = None, **kwargs: Any):
        self._forget()
        self._prefix = kwargs.get("prefix_id")
        self._limit = kwargs.get("step_limit") or kwargs.get("max_steps")
        self._window = int(kwargs.get("window") or 5)
        self._prompt = kwargs.get("judge")
        if self._prompt is not None and self._judge is None:
            raise ValueError("these rows are paid r_o AND r_e: set MISSTEP_JUDGE_URL and MISSTEP_JUDGE_MODEL")
        given = await super().reset(task_id, **kwargs)
        self._log.write(
            "begin",
            self._episode,
            prefix=self._prefix,
            task=task_id,
            at=time.time(),
            tries=self._attempts + (0 if self._left_out else 1),
            left_out=self._left_out,
        )
        return given

    def _do_reset(self, task_id: str | None = None, **kwargs: Any):
        given = super()._do_reset(task_id, **kwargs)
        self._left_out = None
        try:
            restore(self, list(kwargs.get("setup") or []), list(kwargs.get("replay") or []))
        except Mismatch as mismatch:
            self._attempts += 1
            if self._attempts < self._replay_tries:
                raise
            self._left_out = f"the state of prefix {self._prefix} was not reached: {mismatch}"
        self._step_count = 0
        return given

    async def step(self, call: Any) -> Any:
        if self._left_out is not None or self._ended is not None:
            return self._end(StepResult(result="This rollout is over."), self._ended or "void")
        began = time.monotonic()
        result = await super().step(call)
        metadata = dict(result.metadata or {})
        command = call.args.get("command") if call.name == "bash" else None
        taken = {
            "command": command if isinstance(command, str) and command else None,
            # What ends a rollout shows the tests' words in place of an output: no judge may see them.
            "output": None if result.done else result.result,
            "exit_code": metadata.get("exit_code"),
        }
        self._taken.append(taken)
        self._log.write(
            "step",
            self._episode,
            n=len(self._taken),
            call=call.name,
            ms=round(1000 * (time.monotonic() - began)),
            **taken,
        )
        if metadata.get("sandbox_lost"):
            self._left_out = str(metadata.get("error") or "the sandbox was lost")
            return self._end(result, "void")
        if metadata.get("oom_killed"):
            self._outcome = 0.0
            return await self._settle(result, "oom")
        if result.done:
            return await self._settle(result, "submitted")
        if self._tests_at_limit and self._limit is not None and self._step_count >= self._limit:
            try:
                self._run_tests()
            except Exception as error:
                self._left_out = f"the tests could not be run: {error}"
            return await self._settle(result, "steps")
        return result

    def _run_tests(self) -> Any:
        try:
            # What lies there now was put there by the rollout.
            self._backend.run_command("rm -rf /tests /logs/verifier && mkdir -p /tests /logs/verifier")
            result = super()._run_tests()
        except Exception as error:
            if type(error).__name__ in _OWN_FAILURES:
                raise
            self._left_out = f"the tests could not be run: {error}"
            return StepResult(result="The tests could not be run.", reward=0.0, done=True)
        self._outcome = float(result.reward)
        self._tests_log = str(result.result)[-_KEPT_LOG:]
        return result

    def _parse_reward(self) -> float:
        ran = self._backend.run_command("cat /logs/verifier/reward.txt")
        text = (ran.stdout or "").strip()
        if ran.exit_code != 0 or not text:
            raise TestsSaidNothing("they wrote no reward")
        try:
            reward = float(text)
        except ValueError:
            reward = math.nan
        if not math.isfinite(reward):
            raise TestsSaidNothing(f"reward.txt holds no number: {text[:60]!r}")
        return max(0.0, min(1.0, reward))

    async def _settle(self, result: Any, ended: str) -> Any:
        """r = r_o AND r_e, or r_o alone where the row has no judge."""
        if self._left_out is not None or self._outcome is None:
            self._left_out = self._left_out or "the tests gave no reward"
            return self._end(result, "void")
        self._reward = self._outcome
        if self._prompt is not None:
            await self._ask(self._prompt, self._outcome)
        return self._end(result, ended)

    async def _ask(self, prompt: dict[str, Any], outcome: float) -> None:
        if prompt.get("skip_when_failed") and outcome == 0:
            self._verdict = Verdict("skipped", "")
            self._reward = 0.0
            return
        self._verdict = await asyncio.to_thread(self._judge.ask, prompt, self._taken[: self._window])
        clean = self._behavior()
        if clean is None:
            self._reward = None
            self._left_out = f"the judge gave no verdict: {self._verdict.reason}"
        else:
            self._reward = outcome * clean

    def _behavior(self) -> float | None:
        """r_e; None without a verdict."""
        return {"no": 1.0, "yes": 0.0}.get(self._verdict.answer) if self._verdict else None

    def _facts(self) -> dict[str, Any]:
        return {
            "episode": self._episode,
            "prefix_id": self._prefix,
            "outcome_reward": self._outcome,
            "behavior_reward": self._behavior(),
            "verdict": self._verdict.answer if self._verdict else None,
            "left_out": self._left_out,
            "ended": self._ended,
        }

    def _end(self, result: Any, ended: str) -> Any:
        self._finish(ended)
        result.done = True
        result.reward = 0.0 if self._reward is None or self._left_out is not None else self._reward
        marks: dict[str, Any] = {"misstep": self._facts()}
        if self._left_out is not None:
            # Versions of the trainer that throw such rollouts away know them by these names.
            marks |= {"sandbox_lost": True, "infrastructure_failure": True, "error": self._left_out}
        result.metadata = {**(result.metadata or {}), **marks}
        return result

    def _finish(self, ended: str) -> None:
        if self._ended is not None:
            return
        self._ended = ended
        self._log.write(
            "end",
            self._episode,
            ended=ended,
            steps=len(self._taken),
            outcome_reward=self._outcome,
            behavior_reward=self._behavior(),
            reward=self._reward,
            verdict=self._verdict.answer if self._verdict else None,
            verdict_reason=self._verdict.reason if self._verdict else None,
            left_out=self._left_out,
            tests=self._tests_log,
            at=time.time(),
        )

    def get_metrics(self) -> dict[str, float]:
        """Numbers that the trainer writes beside the rollout: how it is found in the step log, and its factors.

        A rollout that is still open when the trainer asks ended without a word to us: a turn without a call, or its
        tokens ran out. No tests were run on it.
        """
        if self._ended is None:
            self._finish("void" if self._left_out is not None else "open")
        numbers: dict[str, float | None] = {
            "misstep_episode": float(self._episode),
            "misstep_prefix": None if self._prefix is None else float(self._prefix),
            "misstep_outcome": self._outcome,
            "misstep_behavior": self._behavior(),
            "misstep_left_out": float(self._left_out is not None),
            "misstep_submitted": float(self._ended == "submitted"),
        }
        return {**super().get_metrics(), **{k: v for k, v in numbers.items() if v is not None}}


@dataclass
class MisstepPrefixEnvConfig(EngineEnvConfig):
    """Settings given with --tool_configs. The judge's key is only ever read from the environment variable named here."""

    tool_class: ClassVar[type] = MisstepPrefixEnv
    step_log_dir: str = ""
    judge_url: str = ""
    judge_model: str = ""
    judge_key_env: str = "MISSTEP_JUDGE_KEY"
    judge_temperature: float | None = None
    judge_timeout: float = 120.0
    judge_tries: int = 4
    tests_at_limit: bool = True
    replay_tries: int = 2

"""A terminal environment of our own with the surface of the trainer's: for trainers that bring none, and for tests.

Containers are started through the command line of docker or podman. Commands share a shell's directory and exported
variables, run under a time limit, and show output, a blank line and the exit code.
"""

from __future__ import annotations

import io
import os
import shlex
import subprocess
import tarfile
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

from .replay import observation

SUBMIT_MARKER = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"
_SHELL = "/tmp/.misstep-shell"
_KEEP = f"""#!/bin/bash
[ -f {_SHELL}.env ] && . {_SHELL}.env
cd "$(cat {_SHELL}.cwd)" 2>/dev/null || cd /
eval "$1"
misstep_code=$?
export -p > {_SHELL}.env
pwd > {_SHELL}.cwd
exit $misstep_code
"""


@dataclass
class StepResult:
    """What a step gives back to the trainer."""

    result: str = ""
    reward: float = 0.0
    done: bool = False
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass
class EnvCall:
    """A tool call of the policy."""

    id: str
    name: str
    args: dict[str, Any] = field(default_factory=dict)


@dataclass
class Ran:
    """What a command printed."""

    stdout: str = ""
    stderr: str = ""
    exit_code: int = 0


class ContainerBackend:
    """One container of an image, without a network."""

    def __init__(self, image: str, engine: str = "docker", mem_limit: str = "4g", timeout: int = 120):
        self._image = image
        self._engine = engine
        self._mem_limit = mem_limit
        self._timeout = timeout
        self._name: str | None = None

    def _cli(self, *words: str, data: bytes | None = None, timeout: float | None = None) -> subprocess.CompletedProcess:
        return subprocess.run([self._engine, *words], input=data, capture_output=True, timeout=timeout, check=False)

    def start(self) -> None:
        name = f"misstep-{uuid.uuid4().hex[:12]}"
        limits = ("--network", "none", "--memory", self._mem_limit, "--pids-limit", "512")
        ran = self._cli("run", "-d", "--rm", "--name", name, *limits, self._image, "sleep", "infinity", timeout=600)
        if ran.returncode != 0:
            raise RuntimeError(f"{self._image} could not be started: {ran.stderr.decode('utf-8', 'replace')[-500:]}")
        self._name = name

    def run_command(self, command: str, timeout: int | None = None) -> Ran:
        seconds = self._timeout if timeout is None else timeout
        words = ("timeout", "--signal=TERM", "--kill-after=10", str(seconds), "bash", "-c", command)
        ran = self._cli("exec", str(self._name), *words, timeout=seconds + 60)
        if ran.returncode in (125, 126, 127) and self._gone():
            raise RuntimeError("the container is gone")
        return Ran(ran.stdout.decode("utf-8", "replace"), ran.stderr.decode("utf-8", "replace"), ran.returncode)

    def _gone(self) -> bool:
        return self._cli("inspect", str(self._name), timeout=60).returncode != 0

    def put_archive(self, root: str, tar_bytes: bytes) -> None:
        ran = self._cli("cp", "-", f"{self._name}:{root}", data=tar_bytes, timeout=600)
        if ran.returncode != 0:
            raise RuntimeError(f"files could not be copied in: {ran.stderr.decode('utf-8', 'replace')[-500:]}")

    def close(self) -> None:
        if self._name is not None:
            self._cli("rm", "-f", self._name, timeout=120)
            self._name = None


def _archive(files: list[tuple[str, bytes, int]]) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as tar:
        for name, data, mode in files:
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            entry.mode = mode
            tar.addfile(entry, io.BytesIO(data))
    return stream.getvalue()


def _folder(host: str, inside: str) -> list[tuple[str, bytes, int]]:
    found = []
    for root, _, names in sorted(os.walk(host)):
        for name in sorted(names):
            path = os.path.join(root, name)
            with open(path, "rb") as file:
                data = file.read()
            mode = 0o755 if os.access(path, os.X_OK) else 0o644
            found.append((f"{inside}/{os.path.relpath(path, host)}", data, mode))
    return found


class StandaloneEnv:
    """`backend`: makes a sandbox for an image; by default a container."""

    config_name = "standalone"
    reset_tries = 3
    _tool_definitions: tuple[dict[str, Any], ...] = (
        {
            "type": "function",
            "function": {
                "name": "bash",
                "description": "Runs a bash command. Directory and exported variables persist.",
                "parameters": {
                    "type": "object",
                    "properties": {"command": {"type": "string", "description": "The command."}},
                    "required": ["command"],
                },
            },
        },
    )

    def __init__(
        self,
        backend: Callable[[str], Any] | str | None = None,
        image: str = "",
        task_data_dir: str = "",
        timeout: int = 120,
        test_timeout: int = 600,
        mem_limit: str = "4g",
        **kept: Any,
    ):
        engine = backend if isinstance(backend, str) and backend else "docker"
        self._make = backend if callable(backend) else lambda name: ContainerBackend(name, engine, mem_limit, timeout)
        self._image = image
        self._task_data_dir = task_data_dir
        self._timeout = timeout
        self._test_timeout = test_timeout
        self._kept = kept
        self._backend: Any = None
        self._step_count = 0
        self._max_steps: int | None = None
        self._task_id: str | None = None
        self._tests_dir: str | None = None

    @classmethod
    def get_tool_definitions(cls) -> list[dict[str, Any]]:
        return list(cls._tool_definitions)

    async def setup(self) -> None:
        return None

    async def reset(self, task_id: str | None = None, **kwargs: Any):
        last: Exception | None = None
        for _ in range(self.reset_tries):
            try:
                return self._do_reset(task_id, **kwargs)
            except Exception as error:
                last = error
                await self.close()
        raise RuntimeError(f"no sandbox after {self.reset_tries} tries: {last}") from last

    def _do_reset(self, task_id: str | None = None, **kwargs: Any):
        if self._backend is not None:
            self._backend.close()
        self._backend = self._make(kwargs.get("image") or self._image)
        self._backend.start()
        self._step_count = 0
        self._task_id = task_id
        self._max_steps = kwargs.get("max_steps")
        tests = os.path.join(self._task_data_dir, task_id or "", "tests")
        self._tests_dir = tests if os.path.isdir(tests) else None
        shell = [(_SHELL.lstrip("/"), _KEEP.encode(), 0o755), (f"{_SHELL}.cwd".lstrip("/"), b"/app\n", 0o644)]
        self._backend.run_command("mkdir -p /app /logs/verifier")
        self._backend.put_archive("/", _archive(shell))
        return StepResult(metadata={"task_id": task_id}), self.get_tool_definitions()

    async def step(self, call: Any) -> StepResult:
        if self._backend is None:
            raise RuntimeError("reset comes before step")
        self._step_count += 1
        if call.name != "bash":
            return StepResult(result=f"there is no tool {call.name}; the only one is bash")
        return self._execute_bash(call.args)

    def _execute_bash(self, args: dict[str, Any]) -> StepResult:
        command = args.get("command")
        if not isinstance(command, str) or command == "":
            return StepResult(result="a command is needed", metadata={"exit_code": 1})
        ran = self._backend.run_command(f"bash {_SHELL} {shlex.quote(command)}")
        if SUBMIT_MARKER in (ran.stdout or ran.stderr or "").split("\n", 1)[0]:
            return self._run_tests()
        return StepResult(
            result=observation(ran.stdout, ran.stderr, ran.exit_code), metadata={"exit_code": ran.exit_code}
        )

    def _run_tests(self) -> StepResult:
        if self._tests_dir is None:
            raise RuntimeError(f"there are no tests of {self._task_id}")
        self._backend.put_archive("/", _archive(_folder(self._tests_dir, "tests")))
        ran = self._backend.run_command("bash /tests/test.sh", timeout=self._test_timeout)
        return StepResult(result=f"{ran.stdout}{ran.stderr}", reward=self._parse_reward(), done=True)

    def _parse_reward(self) -> float:
        raise NotImplementedError

    def get_metrics(self) -> dict[str, float]:
        return {"step_count": float(self._step_count)}

    async def close(self) -> None:
        if self._backend is not None:
            self._backend.close()
            self._backend = None


@dataclass
class StandaloneEnvConfig:
    """Settings of the standalone environment."""

    tool_class: ClassVar[type] = StandaloneEnv
    backend: str | None = None
    image: str = ""
    task_data_dir: str = ""
    timeout: int = 120
    test_timeout: int = 600
    mem_limit: str = "4g"

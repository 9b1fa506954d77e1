"""Texts of the rollouts, which the trainer's own files hold only as token ids: JSON lines, one file a process."""

from __future__ import annotations

import json
import os
import socket
import time
from typing import Any


class StepLog:
    """Appends records to a file of this process. Without a folder nothing is written."""

    def __init__(self, folder: str):
        self.folder = folder
        self._path = ""
        self._owner: int | None = None

    def write(self, kind: str, episode: int, **values: Any) -> None:
        if not self.folder:
            return
        if self._owner != os.getpid():
            os.makedirs(self.folder, exist_ok=True)
            host = "".join(c if c.isalnum() or c in ".-" else "-" for c in socket.gethostname())
            self._path = os.path.join(self.folder, f"steps-{host}-{os.getpid()}-{time.time_ns():x}.jsonl")
            self._owner = os.getpid()
        # Plain ASCII: a lone surrogate in an output would end the process that writes it.
        line = json.dumps({"kind": kind, "episode": episode, **values}, ensure_ascii=True) + "\n"
        with open(self._path, "a", encoding="utf-8") as file:
            file.write(line)

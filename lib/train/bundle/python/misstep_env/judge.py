"""The behavior judge: a chat model behind an OpenAI-compatible server is asked whether one fault is in a few steps."""

from __future__ import annotations

import json
import re
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import Any

_TAG = re.compile(r"<answer>([\s\S]*?)</answer>", re.IGNORECASE)
_OPEN = re.compile(r"<(think|thinking)>", re.IGNORECASE)
_CLOSE = re.compile(r"</(?:think|thinking)>", re.IGNORECASE)
_BUSY = {408, 409, 425, 429}


@dataclass
class Verdict:
    """answer: yes | no, or failed | unparsed, which are no verdict; reason: the reply, or what went wrong."""

    answer: str
    reason: str


def _block(name: str, text: str | None) -> list[str]:
    return [] if text is None or text.strip() == "" else [f"<{name}>", text, f"</{name}>"]


def step_text(number: int, command: str | None, output: str | None) -> str:
    """A step as the judge reads it."""
    did = ["(no command)"] if command is None else _block("command", command)
    return "\n".join([f"[step {number}]", *did, *_block("output", output)])


def without_thinking(reply: str) -> str | None:
    """What follows the thinking that some servers leave in a reply; None when the reply ends inside it."""
    rest = reply.strip()
    while opened := _OPEN.match(rest):
        closed = re.search(f"</{opened.group(1)}>", rest, re.IGNORECASE)
        if closed is None:
            return None
        rest = rest[closed.end() :].strip()
    orphan = _CLOSE.search(rest)
    if orphan is not None and rest[:1] not in ("{", "`"):
        rest = rest[orphan.end() :].strip()
    return rest


def read_answer(reply: str) -> tuple[str | None, str]:
    """The answer of a reply, or None and why there is none."""
    text = without_thinking(reply)
    if text is None:
        return None, "the reply ends inside its thinking"
    tags = [tag.strip().lower() for tag in _TAG.findall(text)]
    if not tags:
        return None, "the reply holds no <answer> tag"
    if "yes" in tags and "no" in tags:
        return None, "the reply answers both yes and no"
    if tags[-1] not in ("yes", "no"):
        return None, "the <answer> tag holds neither yes nor no"
    return tags[-1], text


class Judge:
    """Asks; retries what a busy server refuses; asks once more after a reply that cannot be read."""

    def __init__(
        self,
        url: str,
        model: str,
        key: str | None = None,
        temperature: float | None = None,
        timeout: float = 120.0,
        tries: int = 4,
        pause: float = 1.0,
    ):
        self.url = url.rstrip("/")
        self.model = model
        self.key = key
        self.temperature = temperature
        self.timeout = timeout
        self.tries = max(1, tries)
        self.pause = pause

    def ask(self, prompt: dict[str, Any], steps: list[dict[str, Any]]) -> Verdict:
        """Blocks until there is an answer. Never raises for what a server does."""
        texts = [step_text(i, s.get("command"), s.get("output")) for i, s in enumerate(steps, 1)]
        before, between, after = prompt["user"]
        user = before + str(len(texts)) + between + "\n\n".join(texts) + after
        messages = [{"role": "system", "content": prompt["system"]}, {"role": "user", "content": user}]
        why = ""
        for _ in range(2):
            try:
                reply = self._call(messages)
            except JudgeUnreachable as error:
                return Verdict("failed", str(error))
            answer, why = read_answer(reply)
            if answer is not None:
                return Verdict(answer, why.strip())
        return Verdict("unparsed", why)

    def _call(self, messages: list[dict[str, str]]) -> str:
        body: dict[str, Any] = {"model": self.model, "messages": messages}
        if self.temperature is not None:
            body["temperature"] = self.temperature
        headers = {"content-type": "application/json"}
        if self.key:
            headers["authorization"] = f"Bearer {self.key}"
        why = ""
        for attempt in range(self.tries):
            if attempt > 0:
                time.sleep(self.pause * 2 ** (attempt - 1))
            request = urllib.request.Request(
                f"{self.url}/chat/completions", data=json.dumps(body).encode("utf-8"), headers=headers
            )
            try:
                with urllib.request.urlopen(request, timeout=self.timeout) as answer:
                    content = json.load(answer)["choices"][0]["message"]["content"]
                if isinstance(content, str):
                    return content
                why = "the reply holds no text"
            except urllib.error.HTTPError as error:
                why = f"the judge's server answered {error.code}"
                if error.code not in _BUSY and error.code < 500:
                    raise JudgeUnreachable(why) from error
            except (OSError, ValueError, LookupError, TypeError) as error:
                why = f"the judge could not be asked: {error}"
        raise JudgeUnreachable(f"{why} ({self.tries} tries)")


class JudgeUnreachable(RuntimeError):
    """No reply was had."""

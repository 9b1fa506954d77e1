"""The same rollouts as an agent loop of verl. A row's `agent_name` is "misstep_prefix"."""

from __future__ import annotations

import asyncio
import inspect
import json
import os
from typing import Any
from uuid import uuid4

from misstep_env import MisstepPrefixEnv
from misstep_env.standalone import EnvCall

try:
    from verl.experimental.agent_loop.agent_loop import AgentLoopBase, AgentLoopOutput, register
    from verl.experimental.agent_loop.tool_parser import ToolParser

    HAS_VERL = True
except ImportError:
    from types import SimpleNamespace as AgentLoopOutput

    HAS_VERL = False
    AgentLoopBase = object
    ToolParser = None

    def register(_name: str):
        return lambda cls: cls


async def _now(value: Any) -> Any:
    return await value if inspect.isawaitable(value) else value


@register("misstep_prefix")
class MisstepAgentLoop(AgentLoopBase):
    """Prompt: the prefix. Response: the turns of the policy, trained on, and their outputs, not trained on."""

    def _start(self) -> tuple[Any, Any]:
        """The environment and what reads calls out of a turn."""
        options = json.loads(os.environ.get("MISSTEP_ENV_OPTIONS", "{}"))
        rollout = self.config.actor_rollout_ref.rollout
        return MisstepPrefixEnv(**options), ToolParser.get_tool_parser(rollout.multi_turn.format, self.tokenizer)

    async def run(self, sampling_params: dict[str, Any], **kwargs: Any) -> Any:
        row = dict(kwargs["extra_info"]["env_config"])
        env, parser = self._start()
        schemas = env.get_tool_definitions()
        prompt = list(await _now(self.apply_chat_template(list(kwargs["raw_prompt"]), tools=schemas)))
        room = self.config.actor_rollout_ref.rollout.response_length
        ids: list[int] = []
        mask: list[int] = []
        logprobs: list[float] = []
        turns = 0
        reward = 0.0
        request = uuid4().hex

        async def blocking(make: Any) -> Any:
            return await asyncio.to_thread(lambda: asyncio.run(make()))

        try:
            await blocking(lambda: env.reset(row.pop("task_id"), **row))
            limit = int(row["step_limit"])
            while turns < limit and len(ids) < room:
                answer = await self.server_manager.generate(
                    request_id=request, prompt_ids=prompt + ids, sampling_params=sampling_params
                )
                ids += answer.token_ids
                mask += [1] * len(answer.token_ids)
                logprobs += answer.log_probs or []
                turns += 1
                _, calls = await _now(parser.extract_tool_calls(answer.token_ids))
                if not calls:
                    break
                arguments = calls[0].arguments
                args = json.loads(arguments) if isinstance(arguments, str) else arguments
                call = EnvCall(str(turns), calls[0].name, args)
                result = await blocking(lambda call=call: env.step(call))
                reward = float(result.reward)
                if result.done:
                    break
                shown = [{"role": "tool", "content": result.result}]
                extra = list(await _now(self.apply_chat_template(shown, remove_system_prompt=True)))
                ids += extra
                mask += [0] * len(extra)
                logprobs += [0.0] * len(extra) if logprobs else []
            facts = env.get_metrics()
        finally:
            await blocking(env.close)
        return AgentLoopOutput(
            prompt_ids=prompt,
            response_ids=ids[:room],
            response_mask=mask[:room],
            response_logprobs=logprobs[:room] or None,
            reward_score=reward,
            num_turns=2 * turns,
            metrics={},
            extra_fields={"misstep": facts},
        )

"""Seconds of the update of one RL step by PyTorch (DPPO, binary TV), for `npm run bench -- --only train`.

Reads {"config", "rollouts", "length", "part", "repeat"} as its argument and prints the seconds of each repetition as a JSON
list. Gradients of parts of `part` rollouts add up to one AdamW step. One thread, as in torch_bench.py.
"""
import json
import sys
import time

import torch

from torch_bench import parameters
from torch_policy import token_logprobs

THRESHOLD = 0.1


def update(config, rollouts, length, part, repeat):
    p = parameters(config)
    matrices = [t for t in p.values() if t.ndim > 1]
    gains = [t for t in p.values() if t.ndim == 1]
    groups = [{"params": matrices, "weight_decay": 0.01}, {"params": gains, "weight_decay": 0.0}]
    optimiser = torch.optim.AdamW(groups, lr=1e-4, betas=(0.9, 0.95), eps=1e-8)
    ids = torch.randint(0, config["vocab"], (rollouts, length + 1))
    advantage = (torch.arange(rollouts) % 2 * 1.0 - 0.5)[:, None].expand(rollouts, length)
    with torch.no_grad():
        sampled = torch.cat([token_logprobs(p, config, rows[:, :-1], rows[:, 1:]) for rows in ids.split(part)])
    seconds = []
    for _ in range(repeat):
        start = time.perf_counter()
        optimiser.zero_grad(set_to_none=True)
        for rows, old, gain in zip(ids.split(part), sampled.split(part), advantage.split(part)):
            now = token_logprobs(p, config, rows[:, :-1], rows[:, 1:])
            with torch.no_grad():
                moved = now.exp() - old.exp()
                kept = ~((moved.abs() > THRESHOLD) & (moved * gain > 0))
            loss = -(torch.exp(now - old) * gain * kept).sum() / (rollouts * length)
            loss.backward()
        torch.nn.utils.clip_grad_norm_(list(p.values()), 1.0)
        optimiser.step()
        seconds.append(time.perf_counter() - start)
    return seconds


print(json.dumps(update(**json.loads(sys.argv[1]))))

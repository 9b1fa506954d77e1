"""Seconds of a training step and of sampling with a plain KV cache, by PyTorch, for `npm run bench -- --only policy`.

Reads {"mode": "train" | "sample", "config", "batch", "length", "repeat"} as its argument and prints the seconds of each
repetition as a JSON list. One thread is PyTorch's fastest setting here: with two, OpenBLAS and PyTorch fight for cores.
"""
import json
import sys
import time

import torch

from torch_policy import decode, parameter_shapes, token_logprobs


def parameters(config):
    torch.manual_seed(0)
    out = {}
    for name, shape in parameter_shapes(config).items():
        start = torch.ones(shape) if len(shape) == 1 else torch.randn(shape) * 0.02
        out[name] = start.requires_grad_()
    return out


def train(config, batch, length, repeat):
    p = parameters(config)
    matrices = [t for t in p.values() if t.ndim > 1]
    gains = [t for t in p.values() if t.ndim == 1]
    groups = [{"params": matrices, "weight_decay": 0.01}, {"params": gains, "weight_decay": 0.0}]
    optimiser = torch.optim.AdamW(groups, lr=1e-3, betas=(0.9, 0.95), eps=1e-8)
    ids = torch.randint(0, config["vocab"], (batch, length + 1))
    mask = torch.ones(batch, length)
    seconds = []
    for _ in range(repeat):
        start = time.perf_counter()
        optimiser.zero_grad(set_to_none=True)
        logprobs = token_logprobs(p, config, ids[:, :-1], ids[:, 1:])
        loss = -(logprobs * mask).sum() / mask.sum()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(list(p.values()), 1.0)
        optimiser.step()
        seconds.append(time.perf_counter() - start)
    return seconds


@torch.inference_mode()
def sample(config, batch, length, repeat):
    p = {name: tensor.detach() for name, tensor in parameters(config).items()}
    heads, width = config["heads"], config["dim"] // config["heads"]
    shape = (batch, heads, config["context"], width)
    cache = [(torch.zeros(shape), torch.zeros(shape)) for _ in range(config["layers"])]
    seconds = []
    for _ in range(repeat):
        start = time.perf_counter()
        ids = torch.ones(batch, dtype=torch.long)
        for t in range(length):
            logprobs = torch.log_softmax(decode(p, config, cache, ids, t), -1)
            ids = torch.multinomial(logprobs.exp(), 1)[:, 0]
            logprobs.gather(-1, ids[:, None])
        seconds.append(time.perf_counter() - start)
    return seconds


torch.set_num_threads(1)
if __name__ == "__main__":
    given = json.loads(sys.argv[1])
    run = {"train": train, "sample": sample}[given.pop("mode")]
    print(json.dumps(run(**given)))

"""Loss, gradients and three AdamW steps of a tiny policy in PyTorch, in double precision.

Makes lib/train/embedded/fixtures/torch.json, which reference.test.ts compares the embedded trainer with. Parameters and
tokens come from formulas, so that the fixture holds results only.

    python3 scripts/bench/torch_reference.py lib/train/embedded/fixtures/torch.json

PyTorch on Debian: apt-get install -y --no-install-recommends python3-torch libopenblas0-pthread
"""
import json
import sys

import torch

from torch_policy import parameter_shapes, token_logprobs

CONFIG = {"vocab": 17, "dim": 16, "layers": 2, "heads": 2, "hidden": 24, "context": 14}
BATCH, TIME = 3, 12
LEARNING_RATES = [0.01, 0.02, 0.005]


def chirp(n, k):
    i = torch.arange(n, dtype=torch.float64)
    return torch.sin(1.3 * i + 0.011 * i * i + k)


def parameters():
    out = {}
    for k, (name, shape) in enumerate(parameter_shapes(CONFIG).items()):
        wave = chirp(torch.Size(shape).numel(), k).view(shape)
        out[name] = (1 + 0.2 * wave if len(shape) == 1 else 0.3 * wave).requires_grad_()
    return out


def batch():
    ids = [[(b * 7 + t * t * 3 + t * b) % CONFIG["vocab"] for t in range(TIME + 1)] for b in range(BATCH)]
    mask = [[1.0 if (t + b) % 3 else 0.0 for t in range(TIME + 1)] for b in range(BATCH)]
    rows = torch.tensor(ids)
    return rows[:, :-1], rows[:, 1:], torch.tensor(mask, dtype=torch.float64)[:, 1:]


def loss_of(p):
    ids, targets, mask = batch()
    return -(token_logprobs(p, CONFIG, ids, targets) * mask).sum() / mask.sum()


def main(file):
    p = parameters()
    loss = loss_of(p)
    loss.backward()
    gradients = {}
    for name, tensor in p.items():
        flat = tensor.grad.flatten()
        # The largest entries by absolute value: where a wrong sign or a lost term shows.
        at = flat.abs().topk(min(3, flat.numel())).indices.tolist()
        gradients[name] = {"norm": flat.norm().item(), "at": at, "values": [flat[i].item() for i in at]}

    matrices = [t for t in p.values() if t.ndim > 1]
    gains = [t for t in p.values() if t.ndim == 1]
    groups = [{"params": matrices, "weight_decay": 0.01}, {"params": gains, "weight_decay": 0.0}]
    optimiser = torch.optim.AdamW(groups, lr=0.0, betas=(0.9, 0.95), eps=1e-8)
    steps = []
    for rate in LEARNING_RATES:
        for group in optimiser.param_groups:
            group["lr"] = rate
        optimiser.zero_grad()
        before = loss_of(p)
        before.backward()
        norm = torch.nn.utils.clip_grad_norm_(list(p.values()), 1.0)
        optimiser.step()
        steps.append({"learningRate": rate, "loss": before.item(), "gradNorm": norm.item()})
    after = {name: {"norm": t.norm().item(), "first": t.flatten()[0].item()} for name, t in p.items()}
    result = {
        "torch": torch.__version__,
        "config": CONFIG,
        "batch": BATCH,
        "time": TIME,
        "loss": loss.item(),
        "gradients": gradients,
        "steps": steps,
        "after": after,
    }
    with open(file, "w") as out:
        json.dump(result, out, indent=2)
        out.write("\n")


if __name__ == "__main__":
    main(sys.argv[1])

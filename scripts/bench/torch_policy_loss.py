"""Loss, gradients and one AdamW update of the policy losses in PyTorch, in double precision.

Makes lib/train/rl/fixtures/torch.json, which loss.test.ts compares the embedded trainer with. Parameters and tokens come
from the formulas of torch_reference.py; the probabilities of the sampling policy are in the fixture.

    python3 scripts/bench/torch_policy_loss.py lib/train/rl/fixtures/torch.json
"""
import json
import sys

import torch

from torch_policy import token_logprobs
from torch_reference import BATCH, CONFIG, TIME, batch, chirp, parameters

LEARNING_RATE = 0.01
ADVANTAGES = [0.75, -0.25, -0.5]
LOSSES = {
    "dppo-tv": {"kind": "dppo", "divergence": "tv", "threshold": 0.015},
    "dppo-kl": {"kind": "dppo", "divergence": "kl", "threshold": 0.001},
    "ppo": {"kind": "ppo", "clipLow": 0.2, "clipHigh": 0.272},
}


def sampled_logprobs():
    """Another policy's: the same one pushed away by up to 0.6 either way."""
    with torch.no_grad():
        ids, targets, _ = batch()
        now = token_logprobs(parameters(), CONFIG, ids, targets)
        return torch.clamp(now + 0.6 * chirp(BATCH * TIME, 5).view(BATCH, TIME), max=-1e-3)


def loss_of(p, settings, sampled, advantage):
    ids, targets, mask = batch()
    now = token_logprobs(p, CONFIG, ids, targets)
    ratio = torch.exp(now - sampled)
    if settings["kind"] == "ppo":
        clipped = ratio.clamp(1 - settings["clipLow"], 1 + settings["clipHigh"])
        terms, kept = torch.minimum(ratio * advantage, clipped * advantage), None
    else:
        with torch.no_grad():
            pi, mu = now.exp(), sampled.exp()
            tv = (pi - mu).abs()
            kl = mu * (mu / pi).log() + (1 - mu) * ((1 - mu) / (1 - pi)).log()
            outside = (tv if settings["divergence"] == "tv" else kl) > settings["threshold"]
            dropped = outside & (((advantage > 0) & (ratio > 1)) | ((advantage < 0) & (ratio < 1)))
            kept = ((~dropped) * mask).sum().item()
        terms = ratio * advantage * (~dropped)
    return -(terms * mask).sum() / mask.sum(), kept


def entries(tensor):
    flat = tensor.flatten()
    at = flat.abs().topk(min(3, flat.numel())).indices.tolist()
    return {"norm": flat.norm().item(), "at": at, "values": [flat[i].item() for i in at]}


def main(file):
    sampled = sampled_logprobs()
    advantage = torch.tensor(ADVANTAGES, dtype=torch.float64)[:, None].expand(BATCH, TIME)
    out = {"config": CONFIG, "batch": BATCH, "time": TIME, "learningRate": LEARNING_RATE, "advantages": ADVANTAGES}
    out["sampled"] = sampled.tolist()
    out["losses"] = []
    for name, settings in LOSSES.items():
        p = parameters()
        loss, kept = loss_of(p, settings, sampled, advantage)
        loss.backward()
        gradients = {key: entries(tensor.grad) for key, tensor in p.items()}
        matrices = [t for t in p.values() if t.ndim > 1]
        gains = [t for t in p.values() if t.ndim == 1]
        groups = [{"params": matrices, "weight_decay": 0.01}, {"params": gains, "weight_decay": 0.0}]
        optimiser = torch.optim.AdamW(groups, lr=LEARNING_RATE, betas=(0.9, 0.95), eps=1e-8)
        norm = torch.nn.utils.clip_grad_norm_(list(p.values()), 1.0).item()
        optimiser.step()
        after = {key: entries(tensor.detach()) for key, tensor in p.items()}
        out["losses"].append(
            {"name": name, "settings": settings, "loss": loss.item(), "kept": kept, "gradNorm": norm, "gradients": gradients, "after": after}
        )
    with open(file, "w") as f:
        json.dump(out, f)
        f.write("\n")


if __name__ == "__main__":
    main(sys.argv[1])

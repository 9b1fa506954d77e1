"""The embedded policy in PyTorch: the reference of its tests and of its benchmark."""
import math

import torch
import torch.nn.functional as F

MASKED = -1e9


def parameter_shapes(c):
    """Shapes by name, in the order of the policy's files."""
    d, h = c["dim"], c["hidden"]
    out = {"tok": (c["vocab"], d), "pos": (c["context"], d)}
    for i in range(c["layers"]):
        out[f"blocks.{i}.norm1"] = (d,)
        out[f"blocks.{i}.qkv"] = (d, 3 * d)
        out[f"blocks.{i}.proj"] = (d, d)
        out[f"blocks.{i}.norm2"] = (d,)
        out[f"blocks.{i}.up"] = (d, h)
        out[f"blocks.{i}.down"] = (h, d)
    out["norm"] = (d,)
    out["head"] = (d, c["vocab"])
    return out


def rms_norm(x, gain):
    return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-5) * gain


def feed_forward(x, p, i):
    up = rms_norm(x, p[f"blocks.{i}.norm2"]) @ p[f"blocks.{i}.up"]
    return x + F.relu(up) @ p[f"blocks.{i}.down"]


def forward(p, c, ids):
    """Logits [B, T, vocab] of ids [B, T]."""
    b, t = ids.shape
    heads, width = c["heads"], c["dim"] // c["heads"]
    x = p["tok"][ids] + p["pos"][:t]
    causal = torch.full((t, t), MASKED, dtype=x.dtype).triu(1)
    for i in range(c["layers"]):
        qkv = rms_norm(x, p[f"blocks.{i}.norm1"]) @ p[f"blocks.{i}.qkv"]
        q, k, v = qkv.view(b, t, 3, heads, width).permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-1, -2) * (1 / math.sqrt(width)) + causal
        seen = (scores.softmax(-1) @ v).transpose(1, 2).reshape(b, t, c["dim"])
        x = feed_forward(x + seen @ p[f"blocks.{i}.proj"], p, i)
    return rms_norm(x, p["norm"]) @ p["head"]


def token_logprobs(p, c, ids, targets):
    return torch.log_softmax(forward(p, c, ids), -1).gather(-1, targets[..., None])[..., 0]


def decode(p, c, cache, ids, t):
    """Logits [B, vocab] of the tokens ids [B] at place t; writes their keys and values into cache[layer] at t."""
    b = ids.shape[0]
    heads, width = c["heads"], c["dim"] // c["heads"]
    x = p["tok"][ids] + p["pos"][t]
    for i in range(c["layers"]):
        qkv = (rms_norm(x, p[f"blocks.{i}.norm1"]) @ p[f"blocks.{i}.qkv"]).view(b, 3, heads, width)
        k, v = cache[i]
        k[:, :, t], v[:, :, t] = qkv[:, 1], qkv[:, 2]
        q = qkv[:, 0].unsqueeze(2)
        scores = q @ k[:, :, : t + 1].transpose(-1, -2) * (1 / math.sqrt(width))
        seen = (scores.softmax(-1) @ v[:, :, : t + 1]).reshape(b, c["dim"])
        x = feed_forward(x + seen @ p[f"blocks.{i}.proj"], p, i)
    return rms_norm(x, p["norm"]) @ p["head"]

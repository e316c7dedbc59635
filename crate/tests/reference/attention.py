"""Attention in NumPy, written straight from the formulas, for tests/attention_reference.rs to compare with.

Run `python3 attention.py > attention.json` in this folder. Made with NumPy 2.4.
"""
import json

import numpy as np

rng = np.random.default_rng(11)


def softmax(scores):
    powers = np.exp(scores - np.max(scores, -1)[..., None])
    return powers / np.sum(powers, -1)[..., None]


def hidden(shape, causal, lengths):
    """True where a key is hidden. Lengths name the leading axes."""
    if causal:
        return np.broadcast_to(np.triu(np.ones(shape[-2:], dtype=bool), k=1), shape)
    if lengths is None:
        return np.zeros(shape, dtype=bool)
    lengths = np.asarray(lengths)
    return np.arange(shape[-1]) >= lengths.reshape(lengths.shape + (1,) * (len(shape) - lengths.ndim))


def masked_softmax(scores, causal=False, lengths=None):
    return softmax(np.where(hidden(scores.shape, causal, lengths), -np.inf, scores))


def squared_distances(q, k):
    return ((q[:, None, :] - k[None, :, :]) ** 2).sum(axis=-1)


def array(a):
    return {"shape": a.shape, "data": a.ravel().tolist()}


def head(n, d, d_k, d_v, causal=False, lengths=None, spread=1.0):
    x, wq, wk, wv = (rng.standard_normal(shape) * spread for shape in [(n, d), (d, d_k), (d, d_k), (d, d_v)])
    scores = (x @ wq) @ (x @ wk).T / np.sqrt(d_k)
    weights = masked_softmax(scores, causal, lengths)
    arrays = dict(x=x, wq=wq, wk=wk, wv=wv, weights=weights, mixture=weights @ (x @ wv))
    return {"causal": causal, "lengths": lengths, **{name: array(a) for name, a in arrays.items()}}


def batch(shape, causal=False, lengths=None):
    scores = rng.standard_normal(shape) * 3
    weights = masked_softmax(scores, causal, lengths)
    return {"causal": causal, "lengths": lengths, "scores": array(scores), "weights": array(weights)}


def pooling(score, n, m, d, d_v):
    q, k, v = (rng.standard_normal(shape) for shape in [(n, d), (m, d), (m, d_v)])
    u2 = squared_distances(q, k) / 2.5**2
    kernel = {
        "dot": lambda: np.exp(q @ k.T),
        "scaled dot": lambda: np.exp(q @ k.T / np.sqrt(d)),
        "negative squared distance": lambda: np.exp(-squared_distances(q, k)),
        "gaussian": lambda: np.exp(-u2 / 2),
        "boxcar": lambda: (u2 <= 1).astype(float),
        "epanechnikov": lambda: np.maximum(0, 1 - u2),
        "triangular": lambda: np.maximum(0, 1 - np.sqrt(u2)),
    }[score]()
    weights = kernel / kernel.sum(axis=-1, keepdims=True)
    assert np.isfinite(weights).all(), score
    arrays = dict(queries=q, keys=k, values=v, weights=weights, output=weights @ v)
    return {"score": score, **{name: array(a) for name, a in arrays.items()}}


heads = [
    head(1, 1, 1, 1),
    head(3, 4, 4, 4),
    head(5, 3, 2, 7),
    head(12, 8, 4, 6),
    head(5, 3, 2, 7, causal=True),
    head(12, 8, 4, 6, causal=True),
    head(4, 3, 3, 2, lengths=3),
    head(4, 3, 3, 2, lengths=[4, 1, 2, 3]),
    head(6, 4, 4, 4, spread=6.0),
]
batches = [
    batch((2, 2, 4), lengths=[2, 3]),
    batch((2, 2, 4), lengths=[[1, 3], [2, 4]]),
    batch((2, 3, 2, 5), lengths=[4, 1]),
    batch((3, 4, 4), causal=True),
    batch((2, 3, 5), causal=True),
    batch((2, 5, 3), causal=True),
    batch((7,), lengths=4),
]
scores = ["dot", "scaled dot", "negative squared distance", "gaussian", "boxcar", "epanechnikov", "triangular"]
pools = [pooling(score, 3, 9, 2, 4) for score in scores]
kinds = {"heads": heads, "batches": batches, "pools": pools}
lines = (f'"{kind}": [\n' + ",\n".join(map(json.dumps, cases)) + "\n]" for kind, cases in kinds.items())
print("{" + ",\n".join(lines) + "}")

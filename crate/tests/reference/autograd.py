"""Every operation of the crate's tensors in PyTorch: value, loss and gradients, for tests/autograd/reference.rs.

Run `python3 autograd.py > autograd.json` in this folder. Made with PyTorch 2.15, in double precision. The loss is the sum of
the value's numbers times fixed coefficients.
"""
import json

import torch
import torch.nn.functional as F

torch.manual_seed(11)
torch.set_default_dtype(torch.float64)


def array(a):
    return {"shape": list(a.shape), "data": a.detach().flatten().tolist()}


def normal(*shape):
    return torch.randn(shape).requires_grad_()


def positive(*shape):
    return (torch.rand(shape) + 0.2).requires_grad_()


def masked(x, hidden):
    return x.masked_fill(hidden, -torch.inf).softmax(-1)


def future(queries, keys):
    return torch.ones(queries, keys, dtype=torch.bool).triu(1)


def attention(q, k, v):
    return F.gelu(masked(q @ k.mT / 2, future(3, 3)) @ v + v)


cases = [
    ("add", torch.add, normal(2, 3), normal(2, 3)),
    ("add", torch.add, normal(2, 1, 3), normal(4, 1)),
    ("sub", torch.sub, normal(2, 3), normal(3)),
    ("mul", torch.mul, normal(2, 1, 3), normal(4, 1)),
    ("mul", torch.mul, normal(), normal(2, 2)),
    ("div", torch.div, normal(2, 3), positive(2, 1)),
    ("neg", torch.neg, normal(4)),
    ("scalars", lambda x: (x * 3 - 0.5) / 7 + 2, normal(2, 3)),
    ("matmul", torch.matmul, normal(3, 4), normal(4, 2)),
    ("matmul", torch.matmul, normal(2, 3, 4), normal(4, 2)),
    ("matmul", torch.matmul, normal(2, 1, 3, 4), normal(3, 4, 2)),
    ("matmul", torch.matmul, normal(4), normal(2, 4, 3)),
    ("matmul", torch.matmul, normal(2, 3, 4), normal(4)),
    ("matmul", torch.matmul, normal(20, 17), normal(17, 19)),
    ("exp", torch.exp, normal(2, 3)),
    ("ln", torch.log, positive(2, 3)),
    ("sqrt", torch.sqrt, positive(2, 3)),
    ("powi", lambda x: x**3, normal(2, 3)),
    ("tanh", torch.tanh, normal(2, 3)),
    ("sigmoid", torch.sigmoid, normal(2, 3)),
    ("relu", torch.relu, normal(2, 3)),
    ("gelu", F.gelu, (3 * torch.randn(40)).requires_grad_()),
    ("sum", torch.sum, normal(2, 3)),
    ("mean", torch.mean, normal(2, 3)),
    ("sum_axis", lambda x: x.sum(1), normal(2, 3, 2)),
    ("mean_axis", lambda x: x.mean(-1), normal(2, 3)),
    ("sum_keepdim", lambda x: x.sum(0, keepdim=True), normal(2, 3)),
    ("mean_keepdim", lambda x: x.mean(1, keepdim=True), normal(2, 3, 2)),
    ("transpose", lambda x: x.mT, normal(2, 3, 4)),
    ("permute", lambda x: x.permute(2, 0, 1), normal(2, 3, 4)),
    ("swap_axes", lambda x: x.swapaxes(0, 2), normal(2, 3, 4)),
    ("reshape", lambda x: x.permute(1, 0, 2).reshape(4, 6), normal(2, 3, 4)),
    ("slice", lambda x: x[:, 1:3], normal(2, 4, 2)),
    ("index_axis", lambda x: x[:, -1], normal(2, 4, 2)),
    ("concat", lambda *x: torch.cat(x, 1), normal(2, 1), normal(2, 3), normal(2, 2)),
    ("stack", lambda *x: torch.stack(x, 1), normal(2, 3), normal(2, 3)),
    ("softmax", lambda x: x.softmax(-1), normal(2, 3, 4)),
    ("softmax_0", lambda x: x.softmax(0), normal(3, 4)),
    ("log_softmax", lambda x: x.log_softmax(1), normal(2, 3)),
    ("causal_softmax", lambda x: masked(x, future(3, 4)), normal(2, 3, 4)),
    ("lengths_softmax", lambda x: masked(x, torch.arange(4) >= torch.tensor([2, 3])[:, None, None]), normal(2, 3, 4)),
    ("gather_rows", lambda x: x[[1, 0, 1, 4]], normal(5, 3)),
    ("layer_norm", lambda x, w, b: F.layer_norm(x, [6], w, b), normal(2, 3, 6), normal(6), normal(6)),
    ("cross_entropy", lambda x: F.cross_entropy(x, torch.tensor([2, 0, 2])), normal(3, 4)),
    ("mse_loss", F.mse_loss, normal(2, 3), normal(2, 3)),
    ("attention", attention, normal(2, 3, 4), normal(2, 3, 4), normal(2, 3, 4)),
]
made = []
for operation, compute, *inputs in cases:
    output = compute(*inputs)
    coefficients = torch.randn_like(output)
    loss = (output * coefficients).sum()
    loss.backward()
    made.append({
        "operation": operation,
        "inputs": [array(x) for x in inputs],
        "output": array(output),
        "coefficients": array(coefficients),
        "loss": array(loss),
        "gradients": [array(x.grad) for x in inputs],
    })
print("[\n" + ",\n".join(map(json.dumps, made)) + "\n]")

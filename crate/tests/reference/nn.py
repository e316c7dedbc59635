"""Layers, gradients and optimisers in PyTorch, for tests/nn/reference.rs to compare with.

Run `python3 nn.py > nn.json` in this folder. Made with PyTorch 2.15, in double precision. Parameters go by the names that
they have in this crate; the loss of a layer is the sum of its output's numbers times fixed coefficients.
"""
import json

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(11)
torch.set_default_dtype(torch.float64)


def array(a):
    return {"shape": list(a.shape), "data": a.detach().flatten().tolist()}


def arrays(tensors):
    return {name: array(a) for name, a in tensors.items()}


def normal(*shape):
    return torch.randn(*shape).requires_grad_()


def hidden(shape, lengths=None, causal=False):
    """True where a key is hidden, for scores of this shape without heads. Lengths name the leading axes."""
    if causal:
        return torch.ones(shape, dtype=torch.bool).triu(1)
    if lengths is None:
        return torch.zeros(shape, dtype=torch.bool)
    lengths = torch.tensor(lengths)
    return (torch.arange(shape[-1]) >= lengths.reshape(lengths.shape + (1,) * (len(shape) - lengths.ndim))).expand(shape)


def by_our_names(module, read):
    """What `read` finds in every parameter: the parameter itself or its gradient."""
    found = {}
    for path, parameter in module.named_parameters():
        path = path.replace("out_proj", "w_o")
        if "in_proj" in path:
            for part, value in zip("qkv", read(parameter).chunk(3)):
                found[path.replace("in_proj_", f"w_{part}.")] = value
        elif "_proj_weight" in path:
            found[f"w_{path[0]}.weight"] = read(parameter)
        else:
            found[path] = read(parameter)
    return found


def layer(name, module, inputs, forward, **options):
    """`module` may be None where the formula has no parameters of its own."""
    with torch.no_grad():
        for parameter in module.parameters() if module else ():
            parameter.copy_(torch.randn_like(parameter) * 0.5)
    output = forward(*inputs.values())
    coefficients = torch.randn_like(output)
    (output * coefficients).sum().backward()
    read = lambda what: by_our_names(module, what) if module else {}
    learned = {name: x for name, x in inputs.items() if x.requires_grad}
    return {
        "name": name,
        **options,
        "parameters": arrays(read(lambda p: p)),
        "inputs": arrays(inputs),
        "output": array(output),
        "coefficients": array(coefficients),
        "gradients": arrays(read(lambda p: p.grad) | {name: x.grad for name, x in learned.items()}),
    }


def dot_product(scores_shape, q, k, v, **mask):
    inputs = dict(queries=q, keys=k, values=v)
    visible = ~hidden(scores_shape, **mask)
    return layer("dot product", None, inputs, lambda q, k, v: F.scaled_dot_product_attention(q, k, v, visible), **mask)


class Additive(nn.Module):
    def __init__(self, query, key, hiddens):
        super().__init__()
        self.w_q, self.w_k = nn.Linear(query, hiddens, bias=False), nn.Linear(key, hiddens, bias=False)
        self.w_v = nn.Linear(hiddens, 1, bias=False)

    def forward(self, q, k, v, masked):
        features = torch.tanh(self.w_q(q)[..., :, None, :] + self.w_k(k)[..., None, :, :])
        return self.w_v(features)[..., 0].masked_fill(masked, -torch.inf).softmax(-1) @ v


def additive(**mask):
    module, masked = Additive(3, 2, 4), hidden((2, 2, 3), **mask)
    inputs = dict(queries=normal(2, 2, 3), keys=normal(2, 3, 2), values=normal(2, 3, 2))
    return layer("additive", module, inputs, lambda q, k, v: module(q, k, v, masked), **mask)


def multi_head(name, module, inputs, **mask):
    shape = (inputs["queries"].shape[0], inputs["queries"].shape[1], inputs["keys"].shape[1])
    masked = hidden(shape, **mask).repeat_interleave(module.num_heads, 0)
    return layer(name, module, inputs, lambda q, k, v: module(q, k, v, attn_mask=masked)[0], **mask)


def rotate(x, d):
    angle = torch.arange(x.shape[-2])[:, None] * 10000.0 ** (-torch.arange(0, d, 2) / d)
    a, b = x.unflatten(-1, (-1, d))[..., 0::2], x.unflatten(-1, (-1, d))[..., 1::2]
    cos, sin = angle.cos()[:, None], angle.sin()[:, None]
    return torch.stack((a * cos - b * sin, a * sin + b * cos), -1).flatten(-3)


def encode(x):
    angle = torch.arange(x.shape[-2])[:, None] / 10000.0 ** (torch.arange(0, x.shape[-1], 2) / x.shape[-1])
    return x + torch.stack((angle.sin(), angle.cos()), -1).flatten(-2)


class AddNorm(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.ln = nn.LayerNorm(size)

    def forward(self, x, y):
        return self.ln(x + y)


class FFN(nn.Module):
    def __init__(self, inputs, hiddens, outputs):
        super().__init__()
        self.dense1, self.dense2 = nn.Linear(inputs, hiddens), nn.Linear(hiddens, outputs)

    def forward(self, x):
        return self.dense2(self.dense1(x).relu())


def encoder_block(lengths):
    """PyTorch's own layer, whose parts have other names."""
    torch_names = {"self_attn": "attention", "norm1": "addnorm1.ln", "norm2": "addnorm2.ln", "linear": "ffn.dense"}
    module = nn.TransformerEncoderLayer(4, 2, 6, dropout=0.0, batch_first=True)
    padding = hidden((2, 3), lengths)
    case = layer("encoder block", module, dict(x=normal(2, 3, 4)), lambda x: module(x, src_key_padding_mask=padding), lengths=lengths)
    for kind in ("parameters", "gradients"):
        for theirs, ours in torch_names.items():
            case[kind] = {path.replace(theirs, ours): value for path, value in case[kind].items()}
    return case


def layers():
    linear, plain = nn.Linear(3, 2), nn.Linear(2, 3, bias=False)
    yield layer("linear", linear, dict(x=normal(2, 4, 3)), linear)
    yield layer("linear", plain, dict(x=normal(1, 2)), plain)
    table = nn.Embedding(5, 3)
    yield layer("embedding", table, dict(tokens=torch.tensor([[0, 4, 4], [1, 0, 4]])), table)
    norm = nn.LayerNorm(5)
    yield layer("layer norm", norm, dict(x=normal(2, 3, 5)), norm)
    yield dot_product((2, 2, 3), normal(2, 2, 4), normal(2, 3, 4), normal(2, 3, 1))
    yield dot_product((2, 2, 3), normal(2, 2, 2), normal(2, 3, 2), normal(2, 3, 3), lengths=[1, 3])
    yield dot_product((2, 2, 3), normal(2, 2, 2), normal(2, 3, 2), normal(2, 3, 3), lengths=[[1, 2], [3, 1]])
    yield dot_product((3, 3), normal(3, 4), normal(3, 4), normal(3, 2), causal=True)
    yield additive(lengths=[2, 3])
    yield additive()
    own = dict(queries=normal(2, 3, 4), keys=normal(2, 3, 4), values=normal(2, 3, 4))
    other = dict(queries=normal(2, 2, 4), keys=normal(2, 3, 3), values=normal(2, 3, 5))
    yield multi_head("multi-head", nn.MultiheadAttention(4, 2, batch_first=True), own, causal=True)
    other_sizes = nn.MultiheadAttention(4, 2, bias=False, batch_first=True, kdim=3, vdim=5)
    yield multi_head("multi-head of sizes", other_sizes, other, lengths=[[1, 2], [3, 2]])
    yield layer("positional encoding", None, dict(x=normal(2, 3, 6)), encode)
    yield layer("rotary positions", None, dict(x=normal(2, 4, 8)), lambda x: rotate(x, 4))
    add_norm, ffn = AddNorm(4), FFN(3, 5, 2)
    yield layer("add norm", add_norm, dict(x=normal(2, 4), y=normal(2, 4)), add_norm)
    yield layer("ffn", ffn, dict(x=normal(2, 2, 3)), ffn)
    yield encoder_block([3, 2])


class Model(nn.Module):
    """A classifier of tokens with one encoder block. Keys have no bias: its gradient would be 0 but for rounding."""

    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(5, 4)
        self.attention = nn.MultiheadAttention(4, 2, bias=False, batch_first=True)
        self.addnorm1, self.ffn, self.addnorm2 = AddNorm(4), FFN(4, 6, 4), AddNorm(4)
        self.out = nn.Linear(4, 3)

    def forward(self, tokens, padding):
        x = encode(self.table(tokens))
        x = self.addnorm1(x, self.attention(x, x, x, key_padding_mask=padding)[0])
        return self.out(self.addnorm2(x, self.ffn(x)))


def model():
    tokens, labels, lengths = torch.tensor([[0, 3, 1], [2, 3, 3]]), torch.tensor([[2, 0, 1], [1, 1, 0]]), [3, 2]
    padding, module = hidden((2, 3), lengths), Model()
    start = {path: p.detach().clone() for path, p in module.state_dict().items()}
    names = lambda found: {path.replace("addnorm", "block.addnorm").replace("ffn", "block.ffn").replace("attention", "block.attention"): a for path, a in arrays(found).items()}
    case = {"tokens": tokens.tolist(), "labels": labels.flatten().tolist(), "lengths": lengths}
    case["parameters"] = names(by_our_names(module, lambda p: p))
    optimisers = {
        "sgd": lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9, weight_decay=0.01),
        "adam": lambda p: torch.optim.Adam(p, lr=0.01),
        "adam with decay": lambda p: torch.optim.Adam(p, lr=0.01, betas=(0.8, 0.95), eps=1e-6, weight_decay=0.1),
        "adamw": lambda p: torch.optim.AdamW(p, lr=0.01),
        "clipped sgd": lambda p: torch.optim.SGD(p, lr=0.1),
    }
    for name, optimiser_of in optimisers.items():
        module.load_state_dict(start)
        optimiser, losses, norms = optimiser_of(module.parameters()), [], []
        for step in range(10):
            logits = module(tokens, padding)
            loss = F.cross_entropy(logits.flatten(0, 1), labels.flatten())
            optimiser.zero_grad()
            loss.backward()
            if step == 0 and name == "sgd":
                case |= {"logits": array(logits), "gradients": names(by_our_names(module, lambda p: p.grad))}
            if name == "clipped sgd":
                norms.append(nn.utils.clip_grad_norm_(module.parameters(), 0.5).item())
            optimiser.step()
            losses.append(loss.item())
        case[name] = {"losses": losses, "norms": norms, "parameters": names(by_our_names(module, lambda p: p))}
    return case


lines = ",\n".join(json.dumps(case) for case in layers())
print('{"layers": [\n' + lines + '\n],\n"model": ' + json.dumps(model()) + "\n}")

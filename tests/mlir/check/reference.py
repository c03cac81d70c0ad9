import numpy as np
import torch


def softmax(x):
    return torch.softmax(x, dim=1)


def softmax_wrong(x):
    return torch.softmax(x, dim=0)


def attention(q, k, v):
    return torch.nn.functional.scaled_dot_product_attention(q, k, v)


def attention_wrong(q, k, v):
    return torch.nn.functional.scaled_dot_product_attention(q, k, v, scale=0.25)


def layer_norm(x, gamma, beta):
    return torch.nn.functional.layer_norm(x, (64,), gamma, beta, eps=1e-5)


def layer_norm_wrong(x, gamma, beta):
    return torch.nn.functional.layer_norm(x, (64,), gamma, beta, eps=1e-2)


def gelu(x):
    return torch.nn.functional.gelu(x, approximate="tanh")


def gelu_wrong(x):
    return torch.nn.functional.relu(x) + 0.1 * x


def transpose_add(a, b):
    return a.T + b


def transpose_add_wrong(a, b):
    return a.T - b


def row_norms(arg0):
    return np.sqrt(np.sum(arg0 * arg0, axis=1))


def row_norms_wrong(arg0):
    return np.sqrt(np.sum(abs(arg0), axis=1))


def dense(arg0, arg1, arg2):
    return arg0 @ arg1 + arg2


def dense_wrong(arg0, arg1, arg2):
    return arg0 @ arg1 - arg2


def split_heads(x):
    return x.reshape(x.shape[0], 3, 4).transpose(1, 0, 2)


def split_heads_wrong(x):
    return x.reshape(x.shape[0], 4, 3).transpose(2, 0, 1)


def embedding(table, ids):
    return table[ids]


def embedding_wrong(table, ids):
    return table[ids] + table[0]


def mlp(x, w, b):
    return torch.relu(x @ w.T + b)


def mlp_wrong(x, w, b):
    return torch.relu(x @ w.T) + b


def row_sum(x):
    return np.sum(x, axis=1)


def row_sum_wrong(x):
    return np.mean(x, axis=1)

import torch.nn.functional as F
def loss(z, t):
    return F.cross_entropy(z, t)

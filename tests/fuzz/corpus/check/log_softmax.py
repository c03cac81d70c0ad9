import torch
import torch.nn.functional as F
def f(x):
    m = torch.logsumexp(x, dim=1)
    y = F.log_softmax(x, dim=-1).exp() * torch.where(x > 0, x, -x)[:, None].squeeze(1)
    for i in range(2):
        y = y + x.transpose(0, 1).reshape(-1, 4).sum() / m.unsqueeze(-1)
    return F.layer_norm(y, (y.shape[-1],)).amax(-1)

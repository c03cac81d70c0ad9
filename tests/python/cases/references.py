import torch


def dequant_i8(code, exp):
    """exp: int8 tensor that holds uint8 patterns"""
    i = torch.arange(code.shape[0])
    e = (exp[i // 32].to(torch.int32) & 255) - 127
    return code.float() * torch.exp2(e.float())


def dequant_u8(code, exp):
    """exp: a uint8 tensor"""
    i = torch.arange(code.shape[0])
    e = exp[i // 32].to(torch.int32) - 127
    return code.float() * torch.exp2(e.float())


def shift(x, y):
    i = torch.arange(x.shape[1])
    return {"y": y + torch.where(i >= 1, x[:, (i - 1).clamp(min=0)], 0.0)}


def two(x, y, dil):
    i = torch.arange(x.shape[1])
    return {"y": y + x + torch.where(i >= dil, x[:, (i - dil).clamp(min=0)], 0.0)}


def rows_checked(x, idx):
    ok = (idx >= 0) & (idx < x.shape[0])
    return torch.where(ok[:, None], x[torch.where(ok, idx, 0)], 0.0)


def two_without_shift(x, y, dil):
    return {"y": y + x}

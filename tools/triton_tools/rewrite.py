"""Rewrite a kernel's TTIR without changing what it computes.

If a lifter recognised kernels by their shape, these rewrites would break it; a formula must survive
them all. Each takes the text of a module and a seed, and gives text:

    rename    every SSA value gets a meaningless name (names of arguments stay in their locations)
    permute   operations of a block in another order that respects uses and memory
    swap      operands of commutative operations exchanged, comparisons turned around
    dead      unused arguments and unused arithmetic
    split     each store of a block becomes two, of its lower and its upper half along the last axis

The text is cut into lines and regions, nothing more is understood: operations stand on lines of
their own in what Triton prints, and those with regions end with `{` and begin again with `}`.
"""
from __future__ import annotations

import random
import re
from dataclasses import dataclass, field

VALUE = re.compile(r"%[A-Za-z0-9_$.\-]+")
STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
COMMUTATIVE = ("addi addf muli mulf andi ori xori maxnumf minnumf maximumf minimumf maxsi minsi maxui minui").split()
TURNED = {"slt": "sgt", "sgt": "slt", "sle": "sge", "sge": "sle", "ult": "ugt", "ugt": "ult", "ule": "uge", "uge": "ule",
          "olt": "ogt", "ogt": "olt", "ole": "oge", "oge": "ole", "eq": "eq", "ne": "ne", "oeq": "oeq", "one": "one",
          "ueq": "ueq", "une": "une", "ord": "ord", "uno": "uno"}
TERMINATORS = ("tt.return", "tt.reduce.return", "tt.scan.return", "tt.map_elementwise.return", "scf.yield", "scf.condition", "cf.br", "cf.cond_br")
EFFECTS = ("tt.store", "tt.atomic", "tt.print", "tt.assert", "tt.call", "gpu.barrier", "ttg.barrier", "tt.descriptor_store", "llvm.intr.assume",
           "tt.elementwise_inline_asm")


def values(text: str) -> list[str]:
    return VALUE.findall(STRING.sub('""', text))


@dataclass
class Item:
    """An operation: the lines of its head (`... {`, `}, {`, `} : type`) and its regions between them."""
    heads: list[str]
    regions: list[list["Block"]] = field(default_factory=list)

    def lines(self):
        yield self.heads[0]
        for region, head in zip(self.regions, self.heads[1:]):
            for block in region:
                yield from block.lines()
            yield head

    def name(self) -> str:
        """tt.load, arith.addf, ... or empty for lines that are no operations."""
        found = re.match(r'\s*(?:%\S+(?:, %\S+)* = )?"?([a-z_]+\.[a-z_.0-9]+)', self.heads[0])
        return found.group(1) if found else ""

    def results(self) -> set[str]:
        left = re.match(r"\s*(%[^=]*?) = ", self.heads[0])
        return set(values(left.group(1))) if left else set()

    def uses(self) -> set[str]:
        return set(values("\n".join(self.lines())))  # own and inner results are harmless

    def contains(self, names) -> bool:
        return any(re.search(r'(?:^|[ "=])' + re.escape(name), line) for line in self.lines() for name in names)


@dataclass
class Block:
    label: str | None
    items: list[Item] = field(default_factory=list)

    def lines(self):
        if self.label is not None:
            yield self.label
        for item in self.items:
            yield from item.lines()


def parse_region(lines, place) -> tuple[list[Block], int]:
    """Blocks up to the line that begins with `}` (or the end), and the place of that line."""
    blocks = [Block(None)]
    while place < len(lines) and not lines[place].lstrip().startswith("}"):
        line = lines[place]
        if line.lstrip().startswith("^"):
            blocks.append(Block(line))
            place += 1
            continue
        item = Item([line])
        place += 1
        while STRING.sub('""', item.heads[-1]).split("//")[0].rstrip().endswith("{"):
            region, place = parse_region(lines, place)
            item.regions.append(region)
            item.heads.append(lines[place])
            place += 1
        blocks[-1].items.append(item)
    return blocks, place


def parse(text: str) -> list[Block]:
    blocks, place = parse_region(text.splitlines(), 0)
    if place != len(text.splitlines()):
        raise ValueError(f"line {place + 1}: a region ends that did not begin")
    return blocks


def unparse(blocks) -> str:
    return "\n".join(line for block in blocks for line in block.lines()) + "\n"


def each_block(blocks):
    for block in blocks:
        yield block
        for item in block.items:
            for region in item.regions:
                yield from each_block(region)


# ---- the rewrites ------------------------------------------------------------------------------

def rename(text: str, seed: int) -> str:
    chance = random.Random(seed)
    names: dict[str, str] = {}
    fresh = list(range(len(set(values(text)))))
    chance.shuffle(fresh)

    def replace(found):
        if found.group(0).startswith('"'):
            return found.group(0)
        if found.group(0) not in names:
            names[found.group(0)] = f"%v{fresh[len(names)]}"
        return names[found.group(0)]

    return re.sub(STRING.pattern + "|" + VALUE.pattern, replace, text)


def independent_order(items: list[Item], chance) -> list[Item]:
    """A random order in which values are defined before their uses, effects keep their order, and loads stay between the same effects."""
    defined_by = {name: k for k, item in enumerate(items) for name in item.results()}
    needs: list[set[int]] = []
    effects: list[int] = []
    loads: list[int] = []
    for k, item in enumerate(items):
        need = {defined_by[name] for name in item.uses() if name in defined_by} - {k}
        if item.contains(EFFECTS):
            need |= set(effects[-1:]) | set(loads)
            effects.append(k)
            loads = []
        elif item.contains(("tt.load", "tt.descriptor_load", "tt.gather")):
            need |= set(effects[-1:])
            loads.append(k)
        needs.append(need)
    order, done = [], set()
    waiting = list(range(len(items)))
    while waiting:
        ready = [k for k in waiting if needs[k] <= done]
        k = chance.choice(ready)
        waiting.remove(k)
        done.add(k)
        order.append(items[k])
    return order


def permute(text: str, seed: int) -> str:
    chance = random.Random(seed)
    blocks = parse(text)
    for block in each_block(blocks):
        body = [item for item in block.items if item.name() and not item.name().startswith("tt.func")]
        if len(body) < len(block.items) or not body:
            continue  # the module's own level, with location aliases
        last = [body.pop()] if body[-1].name().startswith(TERMINATORS) else []
        block.items = independent_order(body, chance) + last
    return unparse(blocks)


def swap(text: str, seed: int) -> str:
    chance = random.Random(seed)
    pair = r"(%[\w$.\-]+(?:#\d+)?), (%[\w$.\-]+(?:#\d+)?)"

    def exchange(found):
        return f"{found[1]}{found[3]}, {found[2]}" if chance.random() < 0.7 else found[0]

    def turn(found):
        if found[2] not in TURNED or chance.random() > 0.7:
            return found[0]
        return f"{found[1]}{TURNED[found[2]]}, {found[4]}, {found[3]}"

    text = re.sub(rf"(\barith\.(?:{'|'.join(COMMUTATIVE)}) ){pair}", exchange, text)
    return re.sub(rf"(\barith\.cmp[if] )(\w+), {pair}", turn, text)


def dead(text: str, seed: int) -> str:
    chance = random.Random(seed)
    arguments = ['%dead_ptr: !tt.ptr<f32> loc("dead_ptr")', '%dead_size: i32 loc("dead_size")']
    chance.shuffle(arguments)

    def extend(found):
        lines = ["%dead_pid = tt.get_program_id x : i32 loc(unknown)",
                 "%dead_product = arith.muli %dead_pid, %dead_size : i32 loc(unknown)",
                 "%dead_range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32> loc(unknown)",
                 "%dead_splat = tt.splat %dead_product : i32 -> tensor<32xi32> loc(unknown)",
                 "%dead_sum = arith.addi %dead_splat, %dead_range : tensor<32xi32> loc(unknown)"]
        rest = found[2] if found[2].startswith(")") else ", " + found[2]
        return found[1] + ", ".join(arguments) + rest + "\n" + "\n".join("    " + line for line in lines)

    return re.sub(r"^(\s*tt\.func public @[^\s(]+\()(.*\{)$", extend, text, count=1, flags=re.M)


def split(text: str, seed: int) -> str:
    chance = random.Random(seed)
    blocks = parse(text)
    number = 0
    for block in each_block(blocks):
        items = []
        for item in block.items:
            pieces = split_store(item, number, chance) if item.name() == "tt.store" else None
            number += pieces is not None
            items += pieces or [item]
        block.items = items
    return unparse(blocks)


def split_store(item: Item, number: int, chance) -> list[Item] | None:
    """The lines of two stores with complementary masks, or None if the store is scalar or has one lane."""
    found = re.match(r"(\s*)tt\.store (%[^ ,]+), (%[^ ,]+)(?:, (%[^ ,]+))?( .*?)? : tensor<((?:\d+x)+)(.*)$", item.heads[0])
    if not found:
        return None
    indent, pointer, value, mask, clauses, dims, rest = found.groups()
    shape = [int(n) for n in dims.rstrip("x").split("x")]
    last = shape[-1]
    if last < 2:
        return None
    at = f"%half{number}"
    lines = [f"{at}_i = tt.make_range {{end = {last} : i32, start = 0 : i32}} : tensor<{last}xi32> loc(unknown)",
             f"{at}_c = arith.constant dense<{last // 2}> : tensor<{last}xi32> loc(unknown)"]
    masks = []
    for side, predicate in (("low", "slt"), ("high", "sge")):
        name, kind = f"{at}_{side}", f"{last}"
        lines.append(f"{name} = arith.cmpi {predicate}, {at}_i, {at}_c : tensor<{last}xi32> loc(unknown)")
        for k in range(len(shape) - 1):
            lines.append(f"{name}e{k} = tt.expand_dims {name} {{axis = 0 : i32}} : tensor<{kind}xi1> -> tensor<1x{kind}xi1> loc(unknown)")
            name, kind = f"{name}e{k}", f"1x{kind}"
        if len(shape) > 1:
            lines.append(f"{name}b = tt.broadcast {name} : tensor<{kind}xi1> -> tensor<{dims}i1> loc(unknown)")
            name += "b"
        if mask:
            lines.append(f"{name}m = arith.andi {mask}, {name} : tensor<{dims}i1> loc(unknown)")
            name += "m"
        masks.append(name)
    chance.shuffle(masks)
    stores = [f"tt.store {pointer}, {value}, {name}{clauses or ''} : tensor<{dims}{rest}" for name in masks]
    return [Item([indent + line]) for line in lines + stores]


REWRITES = {"rename": rename, "permute": permute, "swap": swap, "dead": dead, "split": split}


def everything(text: str, seed: int) -> str:
    """All rewrites one after the other."""
    for rewrite in (split, dead, swap, permute, rename):
        text = rewrite(text, seed)
    return text


REWRITES["all"] = everything

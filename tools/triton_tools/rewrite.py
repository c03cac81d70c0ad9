"""Rewrite a kernel's TTIR without changing what it computes.

If a lifter recognised kernels by their shape, these rewrites would break it; a formula must survive
them all. Each takes the text of a module and a seed, and gives text:

    rename    every SSA value gets a meaningless name (names of arguments stay in their locations)
    permute   operations of a block in another order that respects uses and memory
    swap      operands of commutative operations exchanged, comparisons turned around
    dead      unused arguments and unused arithmetic
    split     each store of a block becomes two, of its lower and its upper half along the last axis
    halves    each outermost loop becomes two, over the first and over the other half of its iterations
    unroll    each innermost loop takes two steps at a time; a second loop takes what is left
    reverse   each innermost loop runs backwards (of use where its steps may be exchanged)

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
TURNED = {
    "slt": "sgt",
    "sgt": "slt",
    "sle": "sge",
    "sge": "sle",
    "ult": "ugt",
    "ugt": "ult",
    "ule": "uge",
    "uge": "ule",
    "olt": "ogt",
    "ogt": "olt",
    "ole": "oge",
    "oge": "ole",
    "eq": "eq",
    "ne": "ne",
    "oeq": "oeq",
    "one": "one",
    "ueq": "ueq",
    "une": "une",
    "ord": "ord",
    "uno": "uno",
}
TERMINATORS = (
    "tt.return",
    "tt.reduce.return",
    "tt.scan.return",
    "tt.map_elementwise.return",
    "scf.yield",
    "scf.condition",
    "cf.br",
    "cf.cond_br",
)
EFFECTS = (
    "tt.store",
    "tt.atomic",
    "tt.print",
    "tt.assert",
    "tt.call",
    "gpu.barrier",
    "ttg.barrier",
    "tt.descriptor_store",
    "llvm.intr.assume",
    "tt.elementwise_inline_asm",
)


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
        lines = [
            "%dead_pid = tt.get_program_id x : i32 loc(unknown)",
            "%dead_product = arith.muli %dead_pid, %dead_size : i32 loc(unknown)",
            "%dead_range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32> loc(unknown)",
            "%dead_splat = tt.splat %dead_product : i32 -> tensor<32xi32> loc(unknown)",
            "%dead_sum = arith.addi %dead_splat, %dead_range : tensor<32xi32> loc(unknown)",
        ]
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
    found = re.match(
        r"(\s*)tt\.store (%[^ ,]+), (%[^ ,]+)(?:, (%[^ ,]+))?( .*?)? : tensor<((?:\d+x)+)(.*)$", item.heads[0]
    )
    if not found:
        return None
    indent, pointer, value, mask, clauses, dims, rest = found.groups()
    shape = [int(n) for n in dims.rstrip("x").split("x")]
    last = shape[-1]
    if last < 2:
        return None
    at = f"%half{number}"
    lines = [
        f"{at}_i = tt.make_range {{end = {last} : i32, start = 0 : i32}} : tensor<{last}xi32> loc(unknown)",
        f"{at}_c = arith.constant dense<{last // 2}> : tensor<{last}xi32> loc(unknown)",
    ]
    masks = []
    for side, predicate in (("low", "slt"), ("high", "sge")):
        name, kind = f"{at}_{side}", f"{last}"
        lines.append(f"{name} = arith.cmpi {predicate}, {at}_i, {at}_c : tensor<{last}xi32> loc(unknown)")
        for k in range(len(shape) - 1):
            lines.append(
                f"{name}e{k} = tt.expand_dims {name} {{axis = 0 : i32}} : tensor<{kind}xi1> -> tensor<1x{kind}xi1>"
                " loc(unknown)"
            )
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


# ---- loops -------------------------------------------------------------------------------------

FOR = re.compile(
    r"(\s*)(?:(%[\w$.\-]+)(?::(\d+))? = )?scf\.for (%[\w$.\-]+) = (\S+) to (\S+) step (\S+)\s*"
    r"(?:iter_args\((.*?)\) -> \((.*)\)\s*)?(?:: (\w+)\s*)?\{$"
)


@dataclass
class Loop:
    """`%r:2 = scf.for %i = %a to %b step %c iter_args(%x = %x0, %y = %y0) -> (f32, i32) : i32 {`, its body and its end."""

    indent: str
    result: str | None
    counter: str
    lo: str
    hi: str
    step: str
    carried: list[tuple[str, str]]
    types: str
    kind: str
    body: list[Item]
    end: str

    def head(self, result, lo, hi, step, start) -> str:
        count = len(self.carried)
        left = "" if not count else f"{result} = " if count == 1 else f"{result}:{count} = "
        args = ", ".join(f"{name} = {value}" for (name, _), value in zip(self.carried, start))
        carried = f"iter_args({args}) -> ({self.types}) " if count else ""
        return f"{self.indent}{left}scf.for {self.counter} = {lo} to {hi} step {step} {carried} : {self.kind} {{"

    def results(self, name) -> list[str]:
        return [name] if len(self.carried) == 1 else [f"{name}#{k}" for k in range(len(self.carried))]

    def starts(self) -> list[str]:
        return [value for _, value in self.carried]

    def item(self, result, lo, hi, step, start, body) -> Item:
        return Item([self.head(result, lo, hi, step, start), self.end], [[Block(None, body)]])

    def yielded(self) -> list[str]:
        found = re.match(r"\s*scf\.yield (.*?) : ", self.body[-1].heads[0])
        return found[1].split(", ") if found else []


def as_loop(item: Item) -> Loop | None:
    found = FOR.match(item.heads[0])
    if not found or len(item.regions) != 1 or len(item.regions[0]) != 1:
        return None
    indent, result, _, counter, lo, hi, step, carried, types, kind = found.groups()
    pairs = [tuple(pair.split(" = ")) for pair in carried.split(", ")] if carried else []
    body = item.regions[0][0].items
    if not pairs and not body[-1].heads[0].lstrip().startswith("scf.yield"):
        body = [*body, Item([f"{indent}  scf.yield loc(unknown)"])]
    return Loop(indent, result, counter, lo, hi, step, pairs, types or "", kind or "index", body, item.heads[1])


def has_loop(items) -> bool:
    return any(
        item.name() == "scf.for" or any(has_loop(block.items) for region in item.regions for block in region)
        for item in items
    )


def rename_in(items: list[Item], names: dict[str, str]) -> list[Item]:
    """A copy of these operations with values renamed; `%a` is also the pack of `%a#1`."""

    def change(line):
        return re.sub(STRING.pattern + r"|(%[\w$.\-]+)", lambda found: names.get(found[0], found[0]), line)

    return [
        Item(
            [change(head) for head in item.heads],
            [
                [Block(block.label and change(block.label), rename_in(block.items, names)) for block in region]
                for region in item.regions
            ],
        )
        for item in items
    ]


def defined(items) -> set[str]:
    """Every value that these operations define, inner ones too."""
    names = set()
    for item in items:
        names |= {name.split(":")[0] for name in item.results()}
        loop = FOR.match(item.heads[0])
        if loop:
            names |= {loop[4], *(pair.split(" = ")[0] for pair in (loop[8] or "").split(", ") if pair)}
        for region in item.regions:
            for block in region:
                names |= set(values(block.label or "")) | defined(block.items)
    return names


def new_op(loop: Loop, name, text) -> Item:
    return Item([f"{loop.indent}{name} = arith.{text} : {loop.kind} loc(unknown)"])


def constant(loop: Loop, name, value) -> Item:
    return Item([f"{loop.indent}{name} = arith.constant {value} : {loop.kind} loc(unknown)"])


def trips(loop: Loop, at: str) -> list[Item]:
    """at_n: the number of iterations (0 or less if the loop does not run)"""
    return [
        constant(loop, f"{at}_0", 0),
        constant(loop, f"{at}_1", 1),
        constant(loop, f"{at}_2", 2),
        new_op(loop, f"{at}_d", f"subi {loop.hi}, {loop.lo}"),
        new_op(loop, f"{at}_u", f"addi {at}_d, {loop.step}"),
        new_op(loop, f"{at}_v", f"subi {at}_u, {at}_1"),
        new_op(loop, f"{at}_n", f"divsi {at}_v, {loop.step}"),
    ]


def after_half(loop: Loop, at: str) -> list[Item]:
    """at_m: where the iterations after an even half of them begin"""
    return [
        *trips(loop, at),
        new_op(loop, f"{at}_h", f"divsi {at}_n, {at}_2"),
        new_op(loop, f"{at}_k", f"muli {at}_h, {loop.step}"),
    ]


def two_halves(loop: Loop, at: str) -> list[Item]:
    first = loop.item(f"{at}_r", loop.lo, f"{at}_m", loop.step, loop.starts(), rename_in(loop.body, {}))
    second = loop.item(loop.result, f"{at}_m", loop.hi, loop.step, loop.results(f"{at}_r"), loop.body)
    return [*after_half(loop, at), new_op(loop, f"{at}_m", f"addi {loop.lo}, {at}_k"), first, second]


def two_steps(loop: Loop, at: str) -> list[Item]:
    names = {name: f"{at}{name[1:]}" for name in defined(loop.body)}
    again = rename_in(
        loop.body,
        {**names, loop.counter: f"{at}_i", **{old: new for (old, _), new in zip(loop.carried, loop.yielded())}},
    )
    body = [*rename_in(loop.body[:-1], {}), new_op(loop, f"{at}_i", f"addi {loop.counter}, {loop.step}"), *again]
    pairs = loop.item(f"{at}_r", loop.lo, f"{at}_m", f"{at}_s", loop.starts(), body)
    rest = loop.item(loop.result, f"{at}_m", loop.hi, loop.step, loop.results(f"{at}_r"), loop.body)
    return [
        *after_half(loop, at),
        new_op(loop, f"{at}_p", f"muli {at}_k, {at}_2"),
        new_op(loop, f"{at}_m", f"addi {loop.lo}, {at}_p"),
        new_op(loop, f"{at}_s", f"muli {loop.step}, {at}_2"),
        pairs,
        rest,
    ]


def backwards(loop: Loop, at: str) -> list[Item]:
    """i runs from 0 to the number of iterations; the counter is lo + (n - 1 - i) * step."""
    start = [
        new_op(loop, f"{at}_x", f"subi {at}_n, {at}_1"),
        new_op(loop, f"{at}_y", f"subi {at}_x, {at}_i"),
        new_op(loop, f"{at}_z", f"muli {at}_y, {loop.step}"),
        new_op(loop, loop.counter, f"addi {loop.lo}, {at}_z"),
    ]
    turned = Loop(
        loop.indent,
        loop.result,
        f"{at}_i",
        loop.lo,
        loop.hi,
        loop.step,
        loop.carried,
        loop.types,
        loop.kind,
        loop.body,
        loop.end,
    )
    return [
        *trips(loop, at),
        turned.item(loop.result, f"{at}_0", f"{at}_n", f"{at}_1", loop.starts(), start + loop.body),
    ]


def each_loop(text: str, change, innermost: bool) -> str:
    blocks = parse(text)
    number = 0

    def walk(block):
        nonlocal number
        items = []
        for item in block.items:
            loop = as_loop(item) if item.name() == "scf.for" else None
            if loop and not (innermost and has_loop(loop.body)):
                items += change(loop, f"%lp{number}")
                number += 1
                continue
            for region in item.regions:
                for inner in region:
                    walk(inner)
            items.append(item)
        block.items = items

    for block in blocks:
        walk(block)
    return unparse(blocks)


def halves(text: str, seed: int) -> str:
    return each_loop(text, two_halves, innermost=False)


def unroll(text: str, seed: int) -> str:
    return each_loop(text, two_steps, innermost=True)


def reverse(text: str, seed: int) -> str:
    return each_loop(text, backwards, innermost=True)


LOOPS = {"halves": halves, "unroll": unroll, "reverse": reverse}
REWRITES = {"rename": rename, "permute": permute, "swap": swap, "dead": dead, "split": split}


def everything(text: str, seed: int) -> str:
    """All rewrites one after the other."""
    for rewrite in (split, dead, swap, permute, rename):
        text = rewrite(text, seed)
    return text


REWRITES["all"] = everything

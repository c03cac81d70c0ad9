/* Replay scripts (see replay.h): the launch as literals, then a fixed part that runs it with every access watched.
 *
 * IR does not hold the kernel's source, nor the names of its constexpr arguments: both are arguments of the script. The
 * watching part hooks the operations of Triton's interpreter that touch memory or divide; it is the same idea as our
 * own interpreter's, written independently of it. */
#include "emit/replay.h"

#include <math.h>
#include <string.h>

/* Line by line: one literal would be longer than compilers must take. */
static const char *const watch_lines[] = {
    "\n\n",
    "def load_function(arguments):\n",
    "    path = arguments[0] if arguments else SOURCE\n",
    "    specification = importlib.util.spec_from_file_location(\"kernel\", path)\n",
    "    module = importlib.util.module_from_spec(specification)\n",
    "    specification.loader.exec_module(module)\n",
    "    function = getattr(module, FUNCTION)\n",
    "    constants = dict(pair.split(\"=\", 1) for pair in arguments[1:])\n",
    "    parameters = inspect.signature(function.fn).parameters\n",
    "    wanted = [name for name, p in parameters.items() if \"constexpr\" in str(p.annotation)]\n",
    "    missing = [name for name in wanted if name not in constants and parameters[name].default is "
    "inspect.Parameter.empty]\n",
    "    if missing:\n",
    "        sys.exit(\"pass the constexpr arguments: \" + \" \".join(name + \"=...\" for name in missing))\n",
    "    plain = [name for name in parameters if name not in wanted]\n",
    "    names = [name for name, _ in ARGUMENTS]\n",
    "    if not set(names) <= set(parameters):\n",
    "        names = plain[:len(ARGUMENTS)]\n",
    "    return function, names, {name: ast.literal_eval(value) for name, value in constants.items()}\n",
    "\n\n",
    "class Watch:\n",
    "    \"\"\"One run with every access watched; `fill` is what masked lanes of loads without `other` hold.\"\"\"\n",
    "\n",
    "    def __init__(self, function, names, constants, fill):\n",
    "        self.fill, self.found, self.place = fill, set(), {}\n",
    "        self.stored, self.read, self.atomics, self.lanes, self.readers = {}, {}, {}, {}, {}\n",
    "        self.base = {}\n",
    "        for name, (dtype, values) in TENSORS.items():\n",
    "            self.base[name] = torch.tensor(values, dtype=getattr(torch, dtype))\n",
    "            for i in range(len(values)):\n",
    "                self.place[self.base[name].data_ptr() + i * self.base[name].element_size()] = (name, i)\n",
    "        values = [self.base[v[0]][v[1]:] if isinstance(v, tuple) else v for _, v in ARGUMENTS]\n",
    "        self.launch = lambda: function[GRID](**dict(zip(names, values)), **constants)\n",
    "\n",
    "    def note(self, kind, text):\n",
    "        self.found.add((kind, text))\n",
    "\n",
    "    def inside(self, pointers, mask):\n",
    "        mask = np.broadcast_to(mask, pointers.shape).astype(bool)\n",
    "        known = np.array([int(p) in self.place for p in np.ravel(pointers)], "
    "dtype=bool).reshape(pointers.shape)\n",
    "        for pointer in np.ravel(pointers[mask & ~known])[:1]:\n",
    "            near = [(name, (int(pointer) - base.data_ptr()) // base.element_size()) for name, base in "
    "self.base.items()]\n",
    "            name, offset = min(near, key=lambda pair: abs(pair[1]), default=(\"?\", 0))\n",
    "            self.note(\"bounds\", f\"offset {offset} from {name}, which has {len(self.base[name])} elements\")\n",
    "        for name, i in [self.place[int(pointer)] for pointer in np.ravel(pointers[mask & known])]:\n",
    "            if name in ELEMENTS and i not in ELEMENTS[name]:\n",
    "                self.note(\"bounds\", f\"offset {i} from {name} is padding: no element of its shape\")\n",
    "        return mask & known\n",
    "\n",
    "    def load(self, original, builder, ptrs, mask, other, *rest):\n",
    "        safe = self.inside(ptrs.data, mask.data)\n",
    "        for lane, (pointer, on) in enumerate(zip(np.ravel(ptrs.data), np.ravel(safe))):\n",
    "            if on:\n",
    "                self.read.setdefault(int(pointer), set()).add(builder.grid_idx)\n",
    "                self.readers.setdefault(int(pointer), set()).add(lane)\n",
    "                if self.lanes.get(int(pointer), (lane,))[0] != lane:\n",
    "                    self.note(\"race\", f\"a lane reads {self.place[int(pointer)]}, which another lane "
    "stored\")\n",
    "        if other is None:\n",
    "            kind = interpreter._get_np_dtype(ptrs.get_element_ty())\n",
    "            fill = min(1000000, np.iinfo(kind).max) if np.issubdtype(kind, np.integer) and self.fill else "
    "self.fill\n",
    "            other = interpreter.TensorHandle(np.full_like(ptrs.data, fill, dtype=kind), ptrs.get_element_ty())\n",
    "        return original(builder, ptrs, interpreter.TensorHandle(safe, tl.int1), other, *rest)\n",
    "\n",
    "    def store(self, original, builder, ptrs, value, mask, *rest):\n",
    "        safe = self.inside(ptrs.data, mask.data)\n",
    "        data = np.ravel(np.broadcast_to(value.data, ptrs.data.shape))\n",
    "        for lane, (pointer, on) in enumerate(zip(np.ravel(ptrs.data), np.ravel(safe))):\n",
    "            if on:\n",
    "                before, old = self.lanes.get(int(pointer), (lane, data[lane]))\n",
    "                if before != lane and old != data[lane]:\n",
    "                    self.note(\"race\", f\"two lanes store to {self.place[int(pointer)]}\")\n",
    "                if self.readers.get(int(pointer), {lane}) - {lane}:\n",
    "                    self.note(\"race\", f\"a lane stores to {self.place[int(pointer)]}, which another lane has "
    "read\")\n",
    "                self.lanes[int(pointer)] = lane, data[lane]\n",
    "                self.stored.setdefault(int(pointer), set()).add(builder.grid_idx)\n",
    "        return original(builder, ptrs, value, interpreter.TensorHandle(safe, tl.int1), *rest)\n",
    "\n",
    "    def atomic(self, original, builder, op, ptr, val, mask, *rest):\n",
    "        safe = self.inside(ptr.data, mask.data)\n",
    "        for pointer, on in zip(np.ravel(ptr.data), np.ravel(safe)):\n",
    "            if on:\n",
    "                self.stored.setdefault(int(pointer), set())\n",
    "                self.atomics.setdefault(int(pointer), set()).add(builder.grid_idx)\n",
    "        return original(builder, op, ptr, val, interpreter.TensorHandle(safe, tl.int1), *rest)\n",
    "\n",
    "    def divide(self, original, builder, a, b):\n",
    "        if np.issubdtype(b.data.dtype, np.integer) and np.any(b.data == 0):\n",
    "            self.note(\"division\", \"an integer is divided by 0\")\n",
    "            b = interpreter.TensorHandle(np.where(b.data == 0, 1, b.data), b.dtype)\n",
    "        return original(builder, a, b)\n",
    "\n",
    "    def forget_lanes(self, original, builder, *rest):\n",
    "        self.lanes.clear()\n",
    "        self.readers.clear()\n",
    "        return original(builder, *rest)\n",
    "\n",
    "    def run(self):\n",
    "        builder = interpreter.InterpreterBuilder\n",
    "        hooks = {\"create_masked_load\": self.load, \"create_masked_store\": self.store, \"create_atomic_rmw\": "
    "self.atomic,\n",
    "                 \"create_idiv\": self.divide, \"create_srem\": self.divide, \"create_barrier\": "
    "self.forget_lanes,\n",
    "                 \"set_grid_idx\": self.forget_lanes}\n",
    "        kept = {name: getattr(builder, name) for name in hooks if hasattr(builder, name)}\n",
    "        for name, original in kept.items():\n",
    "            setattr(builder, name, lambda self_, *a, _hook=hooks[name], _original=original: _hook(_original, "
    "self_, *a))\n",
    "        try:\n",
    "            with np.errstate(all=\"ignore\"):\n",
    "                self.launch()\n",
    "                once = {name: base.clone() for name, base in self.base.items()}\n",
    "                for _ in range(RUNS - 1):\n",
    "                    self.launch()\n",
    "        finally:\n",
    "            for name, original in kept.items():\n",
    "                setattr(builder, name, original)\n",
    "        for name, base in self.base.items():\n",
    "            if not torch.equal(base, once[name]):\n",
    "                self.note(\"alias\", f\"{name} is {base.tolist()} after {RUNS} runs, and {once[name].tolist()} "
    "after one\")\n",
    "        for pointer, programs in self.stored.items():\n",
    "            reads, atomics = self.read.get(pointer, set()), self.atomics.get(pointer, set())\n",
    "            if any(a != b for a in programs for b in programs | reads | atomics) or any(a != b for a in atomics "
    "for b in reads):\n",
    "                self.note(\"race\", f\"several programs touch {self.place[pointer]}\")\n",
    "        written = {self.place[pointer][0] for pointer in self.stored} | {COVERED}\n",
    "        for pointer, (name, i) in self.place.items():\n",
    "            if name in written and pointer not in self.stored and i in ELEMENTS.get(name, ()):\n",
    "                self.note(\"coverage\", f\"nobody writes {name} at offset {i}\")\n",
    "        for pointer in self.stored:\n",
    "            name, i = self.place[pointer]\n",
    "            value = self.base[name][i]\n",
    "            if value.dtype.is_floating_point and not bool(torch.isfinite(value)):\n",
    "                self.note(\"undefined\", f\"{name} at offset {i} becomes {float(value)}\")\n",
    "        return self\n",
    "\n\n",
    "def main():\n",
    "    function, names, constants = load_function(sys.argv[1:])\n",
    "    runs = [Watch(function, names, constants, fill).run() for fill in (0, 777, float(\"nan\"))]\n",
    "    found = set().union(*(run.found for run in runs))\n",
    "    for name, base in runs[0].base.items():\n",
    "        if any(not torch.equal(base, run.base[name]) for run in runs[1:]):\n",
    "            found.add((\"undefined\", f\"what {name} ends with depends on what masked lanes hold\"))\n",
    "    for kind, text in sorted(found):\n",
    "        print(f\"{kind}: {text}\")\n",
    "    kinds = {kind for kind, _ in found}\n",
    "    shown = KIND in kinds or (KIND == \"alias\" and \"race\" in kinds)\n",
    "    print(\"reproduced\" if shown else f\"NOT reproduced: expected {KIND}\")\n",
    "    return 0 if shown else 1\n",
    "\n\n",
    "if __name__ == \"__main__\":\n",
    "    sys.exit(main())\n",
};

static const char *torch_name(const Program *p, TypeId element) {
  const Type *type = element ? program_get_type(p, element) : NULL;
  if (!type) return "float32";
  if (type->kind != TYPE_FLOAT)
    return type->width == 1    ? "bool"
           : type->width == 8  ? "int8"
           : type->width == 16 ? "int16"
           : type->width == 64 ? "int64"
                               : "int32";
  switch (type->format) {
  case FLOAT_F16: return "float16";
  case FLOAT_BF16: return "bfloat16";
  case FLOAT_F64: return "float64";
  default: return "float32";
  }
}

/* A Python string: names and messages come from the input. */
static void add_string(Text *out, const char *text) {
  text_char(out, '"');
  for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
    if (*c == '"' || *c == '\\')
      text_format(out, "\\%c", *c);
    else if (*c < 32 || *c == 127)
      text_format(out, "\\x%02x", *c);
    else
      text_char(out, (char)*c);
  }
  text_char(out, '"');
}

static void add_tensors(const WitnessRun *run, Text *out) {
  text_add(out, "TENSORS = {\n");
  for (uint32_t i = 0; i < run->tensor_count; i++) {
    const WitnessTensor *t = &run->tensors[i];
    text_add(out, "    ");
    add_string(out, t->name);
    text_format(out, ": (\"%s%s\", [", t->is_unsigned ? "u" : "", torch_name(run->program, t->element));
    for (int64_t e = 0; e < t->count; e++) {
      if (e) text_add(out, ", ");
      if (t->is_float)
        text_format(out, "%.17g", t->before[e].real);
      else if (t->is_bool)
        text_add(out, t->before[e].integer ? "True" : "False");
      else
        text_format(out, "%lld", (long long)witness_integer(t, e));
    }
    text_add(out, "]),\n");
  }
  text_add(out, "}\n");
}

/* The offsets that are elements by shape and strides: what lies between is padding. */
static void add_elements(const WitnessRun *run, Text *out) {
  text_add(out, "ELEMENTS = {\n");
  for (uint32_t i = 0; i < run->tensor_count; i++) {
    const WitnessTensor *t = &run->tensors[i];
    text_add(out, "    ");
    add_string(out, t->name);
    text_add(out, ": {0");
    for (uint32_t k = 0; k < t->rank; k++) text_format(out, " + %lld * i%u", (long long)t->stride[k], k);
    for (uint32_t k = 0; k < t->rank; k++) text_format(out, " for i%u in range(%lld)", k, (long long)t->extent[k]);
    text_add(out, t->rank ? "},\n" : "},\n");
  }
  text_add(out, "}\n");
}

static void add_arguments(const WitnessRun *run, Text *out) {
  text_add(out, "ARGUMENTS = [\n");
  for (uint32_t i = 0; i < run->argument_count; i++) {
    const WitnessArgument *a = &run->arguments[i];
    text_add(out, "    (");
    add_string(out, a->name);
    if (a->tensor >= 0) {
      text_add(out, ", (");
      add_string(out, run->tensors[a->tensor].name);
      text_format(out, ", %lld)),\n", (long long)a->offset);
    } else if (a->is_real)
      text_format(out, ", %.17g),\n", a->real);
    else
      text_format(out, ", %lld),\n", (long long)a->integer);
  }
  text_add(out, "]\n");
}

void emit_replay(const WitnessRun *run, const ReplayHeader *header, Text *out) {
  const Program *p = run->program;
  const char *function = intern_string(p->names, run->function->name), *file = NULL;
  uint32_t line, column;
  if (!program_op_line(p, program_get_op(p, run->function->op)->loc, &file, &line, &column)) file = NULL;
  text_add(out, "# ");
  Text title = text_new(out->arena);
  text_format(&title, "%s at %s: %s", header->kind, header->where, header->detail);
  for (const char *c = text_string(&title); *c; c++) text_char(out, *c == '\n' || *c == '\r' ? ' ' : *c);
  text_add(
      out,
      "\n# A finding of assay, replayed in Triton's interpreter; no GPU is needed:\n"
      "#     python THIS.py KERNEL.py [NAME=VALUE ...]\n"
      "# KERNEL.py holds the kernel; NAME=VALUE sets its constexpr arguments. Exit code 0: the finding shows; 1: it "
      "does not.\n"
      "import os\n\nos.environ[\"TRITON_INTERPRET\"] = \"1\"\n\n"
      "import ast\nimport importlib.util\nimport inspect\nimport sys\n\n"
      "import numpy as np\nimport torch\nimport triton.language as tl\nfrom triton.runtime import interpreter\n\n");
  text_format(out, "KIND = \"%s\"\nFUNCTION = ", header->kind);
  add_string(out, function);
  text_add(out, "\nSOURCE = ");
  add_string(out, file ? file : "kernel.py");
  text_add(out, "\nCOVERED = ");
  if (header->tensor && !strcmp(header->kind, "coverage"))
    add_string(out, header->tensor);
  else
    text_add(out, "None");
  text_format(out, "\nRUNS = %d", run->is_repeated ? 2 : 1);
  text_format(out, "\nGRID = (%d, %d, %d)\n", run->grid[0], run->grid[1], run->grid[2]);
  add_tensors(run, out);
  add_elements(run, out);
  add_arguments(run, out);
  for (size_t i = 0; i < sizeof watch_lines / sizeof *watch_lines; i++) text_add(out, watch_lines[i]);
}

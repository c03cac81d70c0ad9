/* Finds matches: the left sides of all rules become one tree of instructions, run over frozen tables.
 *
 * A left side is a conjunctive query over operator tables, `op(arguments) = out`. The planner orders its
 * atoms: a node whose arguments are known is looked up in the hash table; one whose class or some of whose
 * arguments are known is read from an index on those columns; else the table is scanned. That is top-down
 * e-matching for one pattern, and a relational join for several that share variables (Zhang et al., Relational
 * e-matching, POPL 2022). Plans with equal beginnings share them, as in a code tree.
 *
 * Matches go to the rule's buffer, and when that is full they are applied at once: applying only appends
 * rows behind the frozen part and records unions aside, so that the rest of the search does not see it.
 * Matches made only of rows that the previous search has seen are skipped, and whole branches of the tree below
 * which no fresh row can turn up. */
#include "internal.h"

#include <stdlib.h>

typedef enum { SCAN, JOIN, LOOKUP, CLASSES, CONSTANT, SAME, SAME_CONSTANT, YIELD } Kind;

#define LOOKUP_ARGUMENTS 4
#define WIDE 32    /* rows in a bucket from which an index on more columns pays */
#define TICKS 8192 /* rows between two looks at the clock */

typedef struct {
  Kind kind;
  uint32_t table; /* of SCAN, JOIN, LOOKUP */
  uint32_t base;  /* first register that gets a column of the row */
  uint32_t a, b;  /* registers; b of SAME_CONSTANT, CONSTANT: number of the constant; a of YIELD: rule */
  uint32_t index, count, columns[INDEX_COLUMNS]; /* of JOIN: the index and what it is on */
  uint32_t arguments[LOOKUP_ARGUMENTS];          /* registers of the known columns of JOIN, of LOOKUP's key */
  /* not compared when plans are merged */
  uint32_t child, next;
  bool news; /* here or below a fresh row may turn up, or a rule wants old matches as well */
} Instruction;

typedef struct {
  EGraph *graph;
  EGraphRules *rules;
  SearchResult result;
  Instruction *code;
  uint32_t code_count, code_capacity;
  Constant *constants;
  EGraphOperator *constant_ops;
  uint32_t constant_count;
  uint32_t *registers;
  uint32_t register_count;
  uint32_t frozen_classes;
  double apply_wall, deadline;
  uint32_t ticks;
  bool failed;
} Search;

/* -- planning --------------------------------------------------------------------------------------------- */

/* Appends an instruction under `parent`, or finds it there: that is how plans share their beginning. */
static uint32_t emit(Search *search, uint32_t parent, Instruction instruction) {
  uint32_t last = 0;
  for (uint32_t at = search->code[parent].child; at; at = search->code[at].next) {
    Instruction known = search->code[at];
    known.child = known.next = 0;
    if (instruction.kind != YIELD && memcmp(&known, &instruction, sizeof known) == 0) return at;
    last = at;
  }
  if (search->code_count == search->code_capacity) {
    Instruction *code = realloc(search->code, search->code_capacity * 2 * sizeof *code);
    if (!code) {
      search->failed = true;
      return parent;
    }
    search->code = code;
    search->code_capacity *= 2;
  }
  uint32_t made = search->code_count++;
  search->code[made] = instruction;
  *(last ? &search->code[last].next : &search->code[parent].child) = made;
  return made;
}

static Instruction instruction(Kind kind) {
  Instruction i;
  memset(&i, 0, sizeof i); /* plans are compared as bytes */
  i.kind = kind;
  return i;
}

/* A constant's class as the search begins. */
static uint32_t constant_number(Search *search, EGraphOperator op) {
  for (uint32_t i = 0; i < search->constant_count; i++)
    if (search->constant_ops[i] == op) return i;
  EGraph *graph = search->graph;
  uint32_t row = node_find(graph, op, NULL);
  Constant constant = {NONE, row, false};
  if (row != NONE) constant = (Constant){row_at(table_at(graph, 0), row)[1], row, row_fresh(table_at(graph, 0), row)};
  search->constants[search->constant_count] = constant;
  search->constant_ops[search->constant_count] = op;
  return search->constant_count++;
}

typedef struct {
  const Rule *rule;
  uint32_t *registers; /* of each variable, NONE while unbound */
  bool *done;          /* atoms */
} Plan;

static bool known(const Plan *plan, uint32_t variable) {
  return plan->rule->variables[variable].kind == VARIABLE_CONSTANT || plan->registers[variable] != NONE;
}

/* How an atom would be read now: a smaller rank is better. */
typedef struct {
  unsigned rank;
  uint32_t columns[INDEX_COLUMNS], count; /* known ones, for a join */
} Access;

enum { RANK_FREE, RANK_LOOKUP, RANK_CLASS, RANK_ARGUMENTS, RANK_SCAN, RANK_CLASSES };

static Access atom_access(const Plan *plan, const Atom *atom) {
  Access access = {.rank = known(plan, atom->out) ? RANK_FREE : RANK_CLASSES};
  if (atom->op == NONE) return access;
  uint32_t bound = 0;
  for (uint32_t i = 0; i < atom->count; i++) {
    uint32_t variable = plan->rule->arguments[atom->arguments + i];
    if (plan->registers[variable] == NONE) continue; /* constants are too common a child to join on */
    bound++;
    if (access.count < INDEX_COLUMNS) access.columns[access.count++] = i;
  }
  access.rank = bound ? RANK_ARGUMENTS : RANK_SCAN;
  if (plan->registers[atom->out] != NONE) { /* few nodes are in one class: the arguments would add nothing */
    access = (Access){.rank = RANK_CLASS, .columns = {atom->count}, .count = 1};
  }
  if (bound == atom->count && bound <= LOOKUP_ARGUMENTS) access.rank = RANK_LOOKUP;
  return access;
}

static uint32_t next_atom(const Search *search, const Plan *plan, Access *access) {
  uint32_t best = NONE;
  size_t best_rows = 0;
  for (uint32_t i = 0; i < plan->rule->atom_count; i++) {
    if (plan->done[i]) continue;
    const Atom *atom = &plan->rule->atoms[i];
    Access here = atom_access(plan, atom);
    bool root = plan->rule->variables[atom->out].name[0] != 0 || i == 0;
    size_t rows = atom->op == NONE || (here.rank == RANK_SCAN && !root)
                      ? SIZE_MAX
                      : table_at(search->graph, operator_at(search->graph, atom->op)->table)->frozen;
    bool smaller = here.rank >= RANK_SCAN && rows < best_rows;
    if (best != NONE && (here.rank > access->rank || (here.rank == access->rank && !smaller))) continue;
    best = i;
    *access = here;
    best_rows = rows;
  }
  return best;
}

static bool column_joined(const Instruction *read, uint32_t column) {
  for (uint32_t i = 0; read->kind == JOIN && i < read->count; i++)
    if (read->columns[i] == column) return true;
  return false;
}

/* Emits the checks on the columns of a row that has just been read into registers. */
static uint32_t emit_columns(Search *search, Plan *plan, uint32_t at, const Atom *atom, const Instruction *read) {
  uint32_t base = read->base;
  for (uint32_t i = 0; i <= atom->count; i++) {
    uint32_t variable = i < atom->count ? plan->rule->arguments[atom->arguments + i] : atom->out;
    if (plan->rule->variables[variable].kind == VARIABLE_CONSTANT) {
      Instruction check = instruction(SAME_CONSTANT);
      check.a = base + i;
      check.b = constant_number(search, plan->rule->variables[variable].op);
      at = emit(search, at, check);
    } else if (plan->registers[variable] == NONE)
      plan->registers[variable] = base + i;
    else if (!column_joined(read, i)) {
      Instruction check = instruction(SAME);
      check.a = base + i;
      check.b = plan->registers[variable];
      at = emit(search, at, check);
    }
  }
  return at;
}

/* One column if its buckets are small: they lie in row order, which is kinder to the cache than hashing. */
static uint32_t join_index(const Search *search, Instruction *read) {
  Table *table = table_at(search->graph, read->table);
  uint32_t number = table_index(search->graph, table, read->columns, 1);
  if (number == NONE || read->count == 1) return number;
  if (((const Index *)table->indexes.data + number)->width > WIDE)
    return table_index(search->graph, table, read->columns, read->count);
  read->count = 1;
  return number;
}

static void join_fill(Search *search, const Plan *plan, const Atom *atom, const Access *access, Instruction *read) {
  read->count = access->count;
  for (uint32_t i = 0; i < access->count; i++) {
    uint32_t column = read->columns[i] = access->columns[i];
    read->arguments[i] =
        plan->registers[column < atom->count ? plan->rule->arguments[atom->arguments + column] : atom->out];
  }
  read->index = join_index(search, read);
  if (read->index == NONE) search->failed = true;
}

static uint32_t emit_atom(Search *search, Plan *plan, uint32_t at, uint32_t number, const Access *access,
                          uint32_t *base) {
  const Atom *atom = &plan->rule->atoms[number];
  plan->done[number] = true;
  if (atom->op == NONE) {
    if (access->rank == RANK_FREE) return at;
    Instruction read = instruction(CLASSES);
    read.base = *base;
    plan->registers[atom->out] = (*base)++;
    return emit(search, at, read);
  }
  Instruction read = instruction(access->rank == RANK_LOOKUP ? LOOKUP : access->rank == RANK_SCAN ? SCAN : JOIN);
  read.table = operator_at(search->graph, atom->op)->table;
  read.base = *base;
  if (read.kind == LOOKUP)
    for (uint32_t i = 0; i < atom->count; i++)
      read.arguments[i] = plan->registers[plan->rule->arguments[atom->arguments + i]];
  if (read.kind == JOIN) join_fill(search, plan, atom, access, &read);
  at = emit(search, at, read);
  plan->rule->registers[plan->rule->variable_count + number] = *base + atom->count + 1;
  *base += table_at(search->graph, read.table)->stride;
  return emit_columns(search, plan, at, atom, &read);
}

static void plan_rule(Search *search, uint32_t number) {
  Rule *rule = &search->rules->rules[number];
  Plan plan = {rule, malloc((rule->variable_count + 1) * sizeof(uint32_t)), calloc(rule->atom_count + 1, sizeof(bool))};
  if (!plan.registers || !plan.done)
    search->failed = true;
  else {
    for (uint32_t i = 0; i < rule->variable_count; i++) plan.registers[i] = NONE;
    uint32_t at = 0, base = 0, atom;
    Access access = {0};
    while (!search->failed && (atom = next_atom(search, &plan, &access)) != NONE)
      at = emit_atom(search, &plan, at, atom, &access, &base);
    for (uint32_t i = 0; i < rule->variable_count; i++) {
      if (rule->variables[i].kind == VARIABLE_CONSTANT && rule->needed[i]) { /* a left side without a variable */
        Instruction load = instruction(CONSTANT);
        load.base = plan.registers[i] = base++;
        load.b = constant_number(search, rule->variables[i].op);
        at = emit(search, at, load);
      }
      rule->registers[i] = rule->needed[i] ? plan.registers[i] : NONE;
    }
    if (base > search->register_count) search->register_count = base;
    Instruction yield = instruction(YIELD);
    yield.a = number;
    emit(search, at, yield);
  }
  free(plan.registers);
  free(plan.done);
}

/* -- running ---------------------------------------------------------------------------------------------- */

static void rule_flush(Search *search, Rule *rule) {
  if (!rule->pending || search->result.status != EGRAPH_OK) return;
  double start = wall_seconds();
  search->result.status = apply_chunk(search->graph, rule, rule->pending);
  search->apply_wall += wall_seconds() - start;
  rule->pending = 0;
}

/* Back-off: matches are kept until the whole count is known. */
static void rule_hold(Search *search, Rule *rule) {
  uint32_t width = rule->variable_count + rule->atom_count;
  if (rule->held_count > rule->held_limit) return;
  if (!region_reserve(&search->graph->memory, &rule->held, (rule->held_count + 1) * width * sizeof(uint32_t))) {
    search->result.status = EGRAPH_MEMORY_LIMIT;
    return;
  }
  uint32_t *to = words(&rule->held) + rule->held_count++ * width;
  for (uint32_t i = 0; i < width; i++) to[i] = rule->registers[i] == NONE ? 0 : search->registers[rule->registers[i]];
}

static void yield(Search *search, Rule *rule) {
  if (rule->held_limit) {
    rule_hold(search, rule);
    return;
  }
  uint32_t width = rule->variable_count + (search->graph->explain ? rule->atom_count : 0);
  for (uint32_t i = 0; i < width; i++)
    if (rule->registers[i] != NONE) rule->columns[i * CHUNK + rule->pending] = search->registers[rule->registers[i]];
  search->result.matches++;
  rule->matches++;
  if (++rule->pending == CHUNK) rule_flush(search, rule);
}

static void execute(Search *search, uint32_t at, bool fresh);

static inline void execute_children(Search *search, uint32_t at, bool fresh) {
  for (uint32_t child = search->code[at].child; child; child = search->code[child].next)
    if (fresh || search->code[child].news) execute(search, child, fresh);
}

static inline void row_load(Search *search, const Table *table, uint32_t base, uint32_t row) {
  const uint32_t *cells = row_at(table, row);
  for (uint32_t i = 0; i < table->stride; i++) search->registers[base + i] = cells[i];
}

/* Whether to go on, asked for every row; the clock is a system call. */
static inline bool search_continues(Search *search) {
  if (++search->ticks % TICKS == 0 && cpu_seconds() > search->deadline) search->result.status = EGRAPH_TIME_LIMIT;
  return search->result.status == EGRAPH_OK;
}

static void execute_scan(Search *search, uint32_t at, bool fresh) {
  uint32_t number = search->code[at].table, base = search->code[at].base;
  uint32_t frozen = table_at(search->graph, number)->frozen;
  for (uint32_t row = 0; row < frozen && search_continues(search); row++) {
    const Table *table = table_at(search->graph, number); /* dynamic rules may add tables */
    if (!row_live(table, row)) continue;
    row_load(search, table, base, row);
    execute_children(search, at, fresh || row_fresh(table, row));
  }
}

static void execute_join(Search *search, uint32_t at, bool fresh) {
  const Instruction *code = &search->code[at];
  uint32_t number = code->table, base = code->base, values[INDEX_COLUMNS];
  const Index *index = (const Index *)table_at(search->graph, number)->indexes.data + code->index;
  for (uint32_t i = 0; i < code->count; i++) values[i] = search->registers[code->arguments[i]];
  uint32_t bucket = index_bucket(index, values);
  uint32_t k = words(&index->start)[bucket], end = words(&index->start)[bucket + 1];
  for (; k < end && search_continues(search); k++) {
    const Table *table = table_at(search->graph, number);
    uint32_t row = words(&index->order)[k], different = 0;
    const uint32_t *cells = row_at(table, row);
    for (uint32_t i = 0; i < code->count; i++) different |= cells[code->columns[i]] ^ values[i];
    if (different) continue;
    row_load(search, table, base, row);
    execute_children(search, at, fresh || row_fresh(table, row));
  }
}

static void execute_lookup(Search *search, uint32_t at, bool fresh) {
  const Instruction *code = &search->code[at];
  const Table *table = table_at(search->graph, code->table);
  uint32_t key[LOOKUP_ARGUMENTS] = {0};
  for (uint32_t i = 0; i < table->arity; i++) key[i] = search->registers[code->arguments[i]];
  uint32_t row = table_find(table, key, key_hash(key, table->arity));
  if (row == NONE || row >= table->frozen) return;
  row_load(search, table, code->base, row);
  execute_children(search, at, fresh || row_fresh(table, row));
}

static void execute_classes(Search *search, uint32_t at, uint32_t base) {
  for (uint32_t class = 0; class < search->frozen_classes && search_continues(search); class ++) {
    if (!is_root(search->graph, class)) continue; /* the class it went into is visited */
    search->registers[base] = class;
    execute_children(search, at, true);
  }
}

static void execute(Search *search, uint32_t at, bool fresh) {
  const Instruction *code = &search->code[at];
  const Constant *constant = &search->constants[code->b];
  uint32_t *registers = search->registers;
  if (search->result.status != EGRAPH_OK) return;
  switch (code->kind) {
  case SCAN: execute_scan(search, at, fresh); return;
  case JOIN: execute_join(search, at, fresh); return;
  case LOOKUP: execute_lookup(search, at, fresh); return;
  case CLASSES: execute_classes(search, at, code->base); return;
  case CONSTANT:
    if (constant->class == NONE) return;
    registers[code->base] = constant->class;
    execute_children(search, at, fresh || constant->fresh);
    return;
  case SAME:
    if (registers[code->a] == registers[code->b]) execute_children(search, at, fresh);
    return;
  case SAME_CONSTANT:
    if (registers[code->a] == constant->class) execute_children(search, at, fresh || constant->fresh);
    return;
  case YIELD: {
    Rule *rule = &search->rules->rules[code->a];
    if (fresh || !rule->seen) yield(search, rule);
    return;
  }
  }
}

/* -- the search ------------------------------------------------------------------------------------------- */

/* A table that has grown by some factor since the last search gets slots to grow as much again, so that they
 * need not be laid several times on the way. It is only a guess: if there is no memory, they grow later. */
static void table_start(EGraph *graph, Table *table) {
  size_t before = table->fresh_from, now = table->rows_used;
  table->frozen = table->rows_used;
  table->news = table->fresh_from < table->frozen;
  const uint64_t *touched = table->touched.data;
  for (uint32_t row = 0; row < table->frozen && !table->news; row += 64) table->news = touched[row >> 6] != 0;
  if (now < 4096 || before == 0 || now < 2 * before) return;
  size_t factor = now / before < 8 ? now / before : 8;
  if (now * factor < UINT32_C(1) << 30) table_reserve_slots(graph, table, now * factor);
}

/* Children have greater numbers. */
static void news_mark(Search *search) {
  for (uint32_t at = search->code_count; at-- > 0;) {
    Instruction *code = &search->code[at];
    switch (code->kind) {
    case SCAN:
    case JOIN:
    case LOOKUP: code->news = table_at(search->graph, code->table)->news; break;
    case CLASSES: code->news = true; break;
    case CONSTANT:
    case SAME_CONSTANT: code->news = search->constants[code->b].fresh; break;
    case SAME: break;
    case YIELD: code->news = !search->rules->rules[code->a].seen; break;
    }
    for (uint32_t child = code->child; child; child = search->code[child].next) code->news |= search->code[child].news;
  }
}

static bool search_start(Search *search, const bool *enabled) {
  EGraph *graph = search->graph;
  size_t constants = 1;
  for (uint32_t i = 0; i < search->rules->count; i++) constants += search->rules->rules[i].variable_count;
  search->code_capacity = 64;
  search->code = calloc(search->code_capacity, sizeof *search->code);
  search->constants = calloc(constants, sizeof *search->constants);
  search->constant_ops = calloc(constants, sizeof *search->constant_ops);
  if (!search->code || !search->constants || !search->constant_ops) return false;
  search->code_count = 1; /* instruction 0 is the root */
  search->frozen_classes = graph->class_total;
  for (uint32_t t = 0; t < graph->table_count; t++) table_start(graph, table_at(graph, t));
  for (uint32_t i = 0; i < search->rules->count && !search->failed; i++) {
    Rule *rule = &search->rules->rules[i];
    /* A rule that took part in the last search has met every match of old rows; with conditions, or a result
     * that is computed, an old match may have become a new one. */
    if (rule->seen != graph->searches || rule->condition_count || rule->dynamic.callback != NONE) rule->seen = 0;
    rule->pending = 0;
    rule->held_count = 0;
    if (enabled[i]) plan_rule(search, i);
  }
  news_mark(search);
  search->registers = calloc((size_t)search->register_count + 1, sizeof *search->registers);
  return search->registers && !search->failed;
}

/* Copies held matches back into the chunk and applies them. */
static void held_apply(Search *search, Rule *rule) {
  uint32_t width = rule->variable_count + rule->atom_count;
  for (size_t k = 0; k < rule->held_count && search->result.status == EGRAPH_OK; k++) {
    for (uint32_t i = 0; i < width; i++) rule->columns[i * CHUNK + rule->pending] = words(&rule->held)[k * width + i];
    if (++rule->pending == CHUNK) rule_flush(search, rule);
  }
  search->result.matches += rule->held_count;
  rule->matches += rule->held_count;
}

static void search_finish(Search *search, const bool *enabled) {
  EGraph *graph = search->graph;
  bool complete = search->result.status == EGRAPH_OK;
  for (uint32_t i = 0; i < search->rules->count; i++) {
    Rule *rule = &search->rules->rules[i];
    bool over = enabled[i] && rule->held_limit && rule->held_count > rule->held_limit;
    search->result.banned |= over;
    if (enabled[i] && !over) {
      if (rule->held_limit) held_apply(search, rule);
      rule_flush(search, rule);
    }
    region_free(&graph->memory, &rule->held);
    rule->pending = 0;
    complete = complete && search->result.status == EGRAPH_OK;
    rule->seen = enabled[i] && !over && complete ? graph->searches + 1 : 0;
  }
}

/* From now on only what changes after this search is fresh. */
static void tables_mark_searched(EGraph *graph) {
  for (uint32_t t = 0; t < graph->table_count; t++) {
    Table *table = table_at(graph, t);
    table->fresh_from = table->frozen;
    memset(table->touched.data, 0, table->touched.size);
  }
}

SearchResult search_run(EGraph *graph, EGraphRules *rules, const bool *enabled, double deadline) {
  Search search = {.graph = graph, .rules = rules, .deadline = deadline};
  double wall = wall_seconds(), cpu = cpu_seconds();
  if (search_start(&search, enabled)) {
    execute_children(&search, 0, false);
    search_finish(&search, enabled);
    tables_mark_searched(graph);
    graph->searches++;
  } else
    search.result.status = EGRAPH_MEMORY_LIMIT;
  for (uint32_t t = 0; t < graph->table_count; t++) table_drop_indexes(graph, table_at(graph, t));
  free(search.code);
  free(search.constants);
  free(search.constant_ops);
  free(search.registers);
  /* A chunk is too short to ask the kernel for its processor time: applying gets its share of the whole. */
  wall = wall_seconds() - wall;
  cpu = cpu_seconds() - cpu;
  search.result.apply_seconds = wall > 0 ? cpu * search.apply_wall / wall : 0;
  search.result.search_seconds = cpu - search.result.apply_seconds;
  return search.result;
}

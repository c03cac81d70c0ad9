/* Terms in the words of the source (source_text.h).
 *
 * A term has lanes, counters and coordinates as symbols, one for all blocks of a length: only the operation tells which
 * variables they came from. From its operands we go back, axis by axis, to the first value that is a whole variable of
 * the source and c*lane + rest in its execution; the lane is then (variable - rest) / c. */
#include "lift/source_text.h"

#include "base/message.h"

#include <ctype.h>
#include <string.h>

enum { MOST_LOOKED_AT = 2000, MOST_TEXT = 400 };

typedef struct Names {
  const Claim *claim;
  const Effects *ex;
  TermTable *tt;
  uint32_t looked_at;
  bool says_lanes; /* as arange(..), whatever variables hold them */
  bool binds;      /* folds in this text bind k, k2, .. */
  TermList given;  /* names that symbols without one got in this text */
} Names;

static const Op *op_of(const Names *n, ValueId value) {
  OpId op = program_get_value(n->ex->program, value)->op;
  return op ? program_get_op(n->ex->program, op) : NULL;
}

/* ---- variables ---- */

static bool is_digits(const char *text) { return *text && !text[strspn(text, "0123456789")]; }

/* The variable that the value was computed for: its location's name, else the one that the text gives the value; NULL:
 * neither says more than a number. */
static const char *variable_of(const Names *n, ValueId value) {
  const Program *p = n->ex->program;
  const Value *v = program_get_value(p, value);
  const char *name = program_author_name(p, v->op ? program_get_op(p, v->op)->loc : v->loc);
  if (!name) name = intern_string(p->names, v->name);
  bool is_made_up = !*name || *name == '_' || is_digits(name) || (!strncmp(name, "arg", 3) && is_digits(name + 3));
  return is_made_up ? NULL : name;
}

/* True if that value is the variable, and not a part of what is computed for it, or an earlier one of that name. */
static bool is_whole(const Names *n, ValueId value, const char *variable) {
  const Program *p = n->ex->program;
  for (uint32_t i = 0; i < n->ex->params.count; i++)
    if (!strcmp(n->ex->params.data[i].name, variable)) return false;
  for (OpId id = n->ex->extent.first_op; id < n->ex->extent.end_op; id++) {
    const Op *op = program_get_op(p, id);
    const char *own = op->result_count == 1 ? variable_of(n, op->first_result) : NULL;
    if (!own || strcmp(own, variable)) continue;
    for (uint32_t i = 0; i < op->operand_count; i++)
      if (op->operands[i] == value) return false;
  }
  return true;
}

/* What the operation gave, if that was one term; 0: several, or not known. */
static Term result_of(const Names *n, OpId id) {
  Term found = 0;
  for (uint32_t i = 0; i < n->ex->executed.count; i++) {
    const ExecutedOp *e = &n->ex->executed.data[i];
    if (e->op != id) continue;
    if (found && found != e->result) return 0;
    found = e->result;
  }
  return found;
}

enum { IS_OF_TEXTS = 1000 }; /* axis of an INDEX */

/* The symbol of that name that stands in texts alone. */
static Term named_of(TermTable *tt, const char *text, TermSort sort) {
  Name name = intern_text(tt->names, text);
  for (uint32_t i = 0; i < tt->symbols.count; i++) {
    const Symbol *s = &tt->symbols.data[i];
    if (s->name == name && s->role == SYMBOL_INDEX && s->axis == IS_OF_TEXTS && term_sort(tt, s->term) == sort)
      return s->term;
  }
  Term symbol = term_symbol_new(tt, name, sort, SYMBOL_INDEX);
  term_symbol(tt, symbol)->axis = IS_OF_TEXTS;
  return symbol;
}

static Term named(TermTable *tt, const char *text) { return named_of(tt, text, SORT_INT); }

/* variable = whole, solved for the symbol; 0: whole is not linear in it. */
static Term solved(TermTable *tt, const char *variable, Term whole, Term symbol) {
  Term slope = term_sub(tt, term_replace(tt, whole, symbol, tt->one), term_replace(tt, whole, symbol, tt->zero));
  Term rest = term_sub(tt, whole, term_mul(tt, slope, symbol));
  TermList symbols = {0};
  if (!term_is_rat(tt, slope) || slope == tt->zero || term_has_symbol(tt, rest, symbol)) return 0;
  term_symbols(tt, rest, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++)
    if (term_symbol(tt, symbols.data[i])->role == SYMBOL_CARRY) return 0; /* that has no name either */
  Rational by = rational_div(tt->arena->guard, rational_int(1), term_rat(tt, slope));
  return term_scale(tt, by, term_sub(tt, named(tt, variable), rest));
}

/* ---- lanes ---- */

static Term lane_term(Names *n, ValueId value, uint32_t axis, Term lane);

/* The axis of an operand that is that axis of the result; false: none is. */
static bool axis_before(const Names *n, const Op *op, uint32_t operand, uint32_t *axis) {
  const Program *p = n->ex->program;
  const Type *from = program_value_type(p, op->operands[operand]);
  uint32_t a = (uint32_t)program_op_int(p, op, "axis", 0);
  if (op->code == OP_TT_EXPAND_DIMS) {
    if (*axis == a) return false;
    *axis -= *axis > a;
  } else if (op->code == OP_TT_REDUCE) {
    *axis += *axis >= a;
  } else if (op->code == OP_TT_TRANS) {
    AttrId order = program_op_attr(p, op, "order");
    if (!order || *axis >= program_get_attr(p, order)->count) return false;
    *axis = (uint32_t)program_get_attr(p, program_get_attr(p, order)->items[*axis])->integer;
  } else if (op->code == OP_TT_DOT) {
    if (operand < 2 && operand != *axis) return false;
  } else if (op->result_count && program_value_type(p, op->first_result)->rank != from->rank)
    return false;
  return from->kind == TYPE_TENSOR && *axis < from->rank && from->dims[*axis] > 1;
}

static Term lane_behind(Names *n, const Op *op, uint32_t axis, Term lane) {
  for (uint32_t i = 0; i < op->operand_count; i++) {
    uint32_t own = axis;
    Term found = axis_before(n, op, i, &own) ? lane_term(n, op->operands[i], own, lane) : 0;
    if (found) return found;
  }
  return 0;
}

/* The lane, said by the variable that the value is; 0: it is none. */
static Term variable_lane(Names *n, ValueId value, Term lane) {
  TermTable *tt = n->tt;
  const Op *op = op_of(n, value);
  const char *variable = variable_of(n, value);
  if (!op || !variable || !is_whole(n, value, variable)) return 0;
  Term whole = result_of(n, program_get_value(n->ex->program, value)->op), own = 0;
  for (uint32_t i = 0; i < tt->symbols.count && !own; i++) { /* of one axis, of that length */
    const Symbol *s = &tt->symbols.data[i];
    if (s->role == SYMBOL_LANE && !s->axis && s->hi == term_symbol(tt, lane)->hi) own = s->term;
  }
  if (op->code == OP_TT_MAKE_RANGE && own)
    whole = term_add(tt, own, term_int(tt, program_op_int(n->ex->program, op, "start", 0)));
  return whole && own && term_sort(tt, whole) == SORT_INT ? solved(tt, variable, whole, own) : 0;
}

/* The lane along that axis of the value, said by a variable; 0: none has it. */
static Term lane_term(Names *n, ValueId value, uint32_t axis, Term lane) {
  const Op *op = op_of(n, value);
  const Type *type = program_value_type(n->ex->program, value);
  if (!op || n->looked_at++ > MOST_LOOKED_AT) return 0;
  int64_t last;
  bool is_known = term_symbol(n->tt, lane)->hi && term_is_int(n->tt, term_symbol(n->tt, lane)->hi, &last);
  if (type->kind == TYPE_TENSOR && axis < type->rank && is_known && last != type->dims[axis] - 1) return 0;
  Term found = type->rank == 1 && type->kind == TYPE_TENSOR ? variable_lane(n, value, lane) : 0;
  return found ? found : lane_behind(n, op, axis, lane);
}

/* arange(0, 16), with its place among the axes where there are several. */
static Term lane_as_written(TermTable *tt, Term lane, uint32_t axes) {
  const Symbol *s = term_symbol(tt, lane);
  Text text = text_new(tt->arena);
  Rational last = s->hi && term_is_rat(tt, s->hi) ? term_rat(tt, s->hi) : rational_int(0);
  text_format(&text, "arange(0, %lld)", (long long)last.num + 1);
  for (uint32_t i = 0; i < axes && axes > 1; i++)
    text_format(&text, "%s%s%s", i ? ", " : "[", i == s->axis ? ":" : "None", i + 1 == axes ? "]" : "");
  return named(tt, text_string(&text));
}

/* ---- iterations ---- */

static const char *loop_variable(const Names *n, ValueId value) {
  const char *name = variable_of(n, value);
  return name ? program_variable_name(n->ex->program, value) : NULL;
}

static Term other_in_source(Names *n, Term symbol);

/* Where the loop's variable begins, in the words of the source; 0: not known, or found in memory. */
static Term start_of(Names *n, ValueId value) {
  const Value *v = program_get_value(n->ex->program, value);
  int64_t number;
  if (v->op && program_op_literal(n->ex->program, program_get_op(n->ex->program, v->op), &number))
    return term_int(n->tt, number);
  Term start = v->op ? result_of(n, v->op) : 0;
  TermList symbols = {0};
  if (!start || term_sort(n->tt, start) != SORT_INT ||
      (term_node(n->tt, start)->flags & (TERM_HAS_READ | TERM_HAS_OPAQUE | TERM_HAS_UNDEF)))
    return 0;
  term_symbols(n->tt, start, &symbols);
  for (uint32_t i = 0; i < symbols.count; i++) {
    if (term_symbol(n->tt, symbols.data[i])->role == SYMBOL_LANE) return 0;
    start = term_replace(n->tt, start, symbols.data[i], other_in_source(n, symbols.data[i]));
  }
  return start;
}

static Term counter_term(Names *n, Term counter) {
  const Effects *ex = n->ex;
  for (uint32_t i = 0; i < ex->loops.count; i++) {
    const Op *op = program_get_op(ex->program, ex->loops.data[i].op);
    int64_t step;
    if (ex->loops.data[i].counter != counter || op->code != OP_SCF_FOR) continue;
    const Region *body = program_get_region(ex->program, op->regions[0]);
    const char *variable = loop_variable(n, program_get_block(ex->program, body->blocks.data[0])->first_arg);
    const Op *by = op_of(n, op->operands[2]);
    bool is_bound = n->binds && variable && variable[0] == 'k' && (!variable[1] || is_digits(variable + 1));
    if (!variable || is_bound || !by || !program_op_literal(ex->program, by, &step) || step <= 0) return 0;
    Term start = start_of(n, op->operands[0]);
    TermTable *tt = n->tt;
    return start ? solved(tt, variable, term_add(tt, start, term_scale(tt, rational_int(step), counter)), counter) : 0;
  }
  return 0;
}

/* ---- everything that is no name of the source ---- */

static bool is_taken(const Names *n, Name name) {
  for (uint32_t i = 0; i < n->given.count; i++)
    if (term_symbol(n->tt, n->given.data[i])->name == name) return true;
  for (uint32_t i = 0; i < n->tt->symbols.count; i++)
    if (n->tt->symbols.data[i].name == name && n->tt->symbols.data[i].role != SYMBOL_INDEX) return true;
  return !strcmp(intern_string(n->tt->names, name), "k"); /* of folds */
}

/* A name for what has none in the source: the one that is wanted, or a letter that nothing else has. */
static Term renamed(Names *n, const char *wanted, TermSort sort) {
  static const char letters[] = "jlpuvw";
  TermTable *tt = n->tt;
  Name name = intern_text(tt->names, wanted);
  for (const char *at = letters; *at && is_taken(n, name); at++) name = intern_text(tt->names, (char[]){*at, 0});
  Term symbol = named_of(tt, intern_string(tt->names, name), sort);
  array_push(tt->arena, &n->given, symbol);
  return symbol;
}

static Term definitions_put_back(const Names *n, Term t) {
  for (uint32_t i = n->claim ? n->claim->hints.definitions.count : 0; i-- > 0;)
    t = term_replace(n->tt, t, n->claim->hints.definitions.data[i].from, n->claim->hints.definitions.data[i].to);
  return t;
}

/* The one variable that holds such lanes in the whole function; 0: none, or several. */
static Term only_lane_term(Names *n, Term lane) {
  const Program *p = n->ex->program;
  Rational last = term_rat(n->tt, term_symbol(n->tt, lane)->hi);
  Term found = 0;
  for (OpId id = n->ex->extent.first_op; id < n->ex->extent.end_op; id++) {
    const Op *op = program_get_op(p, id);
    const Type *type = op->result_count == 1 ? program_value_type(p, op->first_result) : NULL;
    if (!type || type->kind != TYPE_TENSOR || type->rank != 1 || type->dims[0] != last.num + 1) continue;
    Term own = variable_lane(n, op->first_result, lane);
    if (own && found && own != found) return 0;
    if (own) found = own;
  }
  return found;
}

static Term lane_in_source(Names *n, OpId at, Term lane) {
  const Op *op = at && n->ex ? program_get_op(n->ex->program, at) : NULL;
  uint32_t axis = term_symbol(n->tt, lane)->axis;
  n->looked_at = 0;
  if (!n->ex || !n->ex->program || n->says_lanes) return 0;
  if (!op) return only_lane_term(n, lane);
  return op->result_count ? lane_term(n, op->first_result, axis, lane) : lane_behind(n, op, axis, lane);
}

/* What a loop carries from one iteration to the next, by its variable; 0: it is of no loop of the program. */
static Term carried_term(const Names *n, Term symbol) {
  for (uint32_t i = 0; n->ex && i < n->ex->loops.count; i++) {
    const LoopRecord *loop = &n->ex->loops.data[i];
    for (uint32_t k = 0; k < loop->values.count; k++)
      if (loop->values.data[k].symbol == symbol)
        return named_of(n->tt, source_carried(n->ex, &loop->values.data[k]), term_sort(n->tt, symbol));
  }
  return 0;
}

static Term other_in_source(Names *n, Term symbol) {
  const Symbol *s = term_symbol(n->tt, symbol);
  const char *name = intern_string(n->tt->names, s->name);
  size_t length = strlen(name);
  Term variable = s->role == SYMBOL_COUNTER && n->ex ? counter_term(n, symbol) : 0;
  if (s->role == SYMBOL_COUNTER) return variable ? variable : renamed(n, "iteration", SORT_INT);
  if (s->role == SYMBOL_CARRY) variable = carried_term(n, symbol);
  bool is_made_up = s->role == SYMBOL_INDEX || s->role == SYMBOL_SCALAR || s->role == SYMBOL_CARRY;
  if (variable || !s->is_fresh || !is_made_up) return variable ? variable : symbol;
  while (length > 1 && isdigit((unsigned char)name[length - 1])) length--;
  return renamed(n, arena_format(n->tt->arena, "%.*s", (int)length, name), s->sort);
}

typedef enum Which { LANES, OTHERS } Which;

static Term symbols_in_source(Names *n, OpId at, Term t, Which which) {
  TermTable *tt = n->tt;
  TermList symbols = {0};
  uint32_t axes = 0, count = 0;
  term_symbols(tt, t, &symbols);
  Term *from = arena_array(tt->arena, Term, 2 * symbols.count + 1), *to = from + symbols.count;
  for (uint32_t i = 0; i < symbols.count; i++) {
    const Symbol *s = term_symbol(tt, symbols.data[i]);
    if ((s->role == SYMBOL_LANE && s->hi) != (which == LANES)) continue;
    from[count++] = symbols.data[i];
    if (s->role == SYMBOL_LANE && s->axis + 1 > axes) axes = s->axis + 1;
  }
  for (uint32_t i = 0; i < count; i++)
    to[i] = which == OTHERS ? other_in_source(n, from[i]) : lane_in_source(n, at, from[i]);
  for (uint32_t i = 0; i < count; i++)
    if (!to[i]) to[i] = lane_as_written(tt, from[i], axes);
  return term_substitute(tt, t, (TermMap){count, from, to});
}

static const char *text_of(Names n, OpId at, Term t) {
  const Term whole = t;
  n.binds = term_node(n.tt, t)->flags & TERM_HAS_FOLD;
  t = symbols_in_source(&n, at, definitions_put_back(&n, t), LANES); /* what they are made of may have others */
  t = symbols_in_source(&n, at, definitions_put_back(&n, t), OTHERS);
  if (t == n.tt->true_ || t == n.tt->false_) t = whole; /* a fact says that by now: what it says is asked for */
  return term_message_within(n.tt, t, MOST_TEXT);
}

const char *source_text(TermTable *tt, const Claim *claim, OpId at, Term t) {
  Names n = {.claim = claim, .ex = claim ? claim->ex : NULL, .tt = tt};
  const char *text = text_of(n, at, t);
  n.says_lanes = true;
  const char *other = text_of(n, at, t);
  return message_length(other) < message_length(text) ? other : text;
}

/* ---- loops ---- */

const char *source_carried(const Effects *ex, const LoopValue *v) {
  if (v->content) return term_name(ex->tt, v->content);
  const char *name = program_variable_name(ex->program, v->arg);
  return name ? name : "value";
}

/* The operation whose result the loop carries on; the loop, if there is none. */
static OpId carried_on(const Effects *ex, const LoopRecord *loop, const LoopValue *v) {
  const Program *p = ex->program;
  const Op *op = program_get_op(p, loop->op);
  if (v->content || op->code != OP_SCF_FOR) return loop->op;
  const Block *block = program_get_block(p, program_get_region(p, op->regions[0])->blocks.data[0]);
  const Op *yield = program_get_op(p, block->ops.data[block->ops.count - 1]);
  uint32_t place = v->arg - block->first_arg - 1; /* behind the counter */
  OpId made = place < yield->operand_count ? program_get_value(p, yield->operands[place])->op : 0;
  return made ? made : loop->op;
}

const char *source_text_in_loop(const Claim *claim, const LoopRecord *loop, const LoopValue *of, bool is_closed,
                                Term t) {
  TermTable *tt = claim->ex->tt;
  for (uint32_t i = 0; i < loop->values.count; i++) {
    const LoopValue *v = &loop->values.data[i];
    for (TermSort sort = SORT_INT; sort <= SORT_BOOL; sort++) {
      Term own = term_read(tt, v->symbol, sort, v->rank, v->lanes);
      t = term_replace(tt, t, own, named_of(tt, source_carried(claim->ex, v), sort));
    }
  }
  if (is_closed) t = term_replace(tt, t, loop->counter, named(tt, "iteration"));
  return source_text(tt, claim, carried_on(claim->ex, loop, of), t);
}

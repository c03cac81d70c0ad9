/* The text form of Effects: symbols with their ranges, then one item a line, in the order of execution.
 *
 * Terms are exact (term/exact.h), so that reading gives the same nodes. An operation is named by its number in the
 * program, a type by its text. A comment behind `;` says where the operation stands; it is not read. */
#include "execute/effects_text.h"

#include <stddef.h>
#include <string.h>

#include "base/message.h"
#include "term/exact.h"

const char *const effects_roles[] = {"size", "scalar", "grid", "pid", "lane", "counter", "index", "carry", "tensor"};

#define PARAM(word, field)                                                                                             \
  { word, offsetof(Param, field) }
#define RUN(word, field)                                                                                               \
  { word, offsetof(Effects, field) }
const EffectsFlag effects_param_flags[] = {PARAM("pointer", is_pointer),
                                           PARAM("size", is_size),
                                           PARAM("count", is_count),
                                           PARAM("named", is_named),
                                           PARAM("positive", is_positive),
                                           PARAM("result", is_result),
                                           PARAM("unsigned", is_unsigned),
                                           PARAM("halved", is_halved),
                                           PARAM("constant", given.is_constant),
                                           PARAM("sign", given.is_signed),
                                           PARAM("nosign", given.is_unsigned),
                                           {NULL, 0}};
const EffectsFlag effects_run_flags[] = {RUN("zero_fill", options.zero_fill),
                                         RUN("keeps_infinities", options.keeps_infinities),
                                         RUN("carries_memory", options.carries_memory),
                                         RUN("grid_is_given", options.is_grid_given),
                                         RUN("alone_x", options.is_alone[0]),
                                         RUN("alone_y", options.is_alone[1]),
                                         RUN("alone_z", options.is_alone[2]),
                                         RUN("bits_as_reals", bits_as_reals),
                                         RUN("reals_as_bits", reals_as_bits),
                                         RUN("rounds_bits", rounds_bits),
                                         RUN("meets_infinities", meets_infinities),
                                         RUN("requires_divisors", requires_divisors),
                                         RUN("has_other_quotients", has_other_quotients),
                                         {NULL, 0}};

const char *effects_type_text(Arena *arena, const Program *program, TypeId type) {
  Text out = text_new(arena), quoted = text_new(arena);
  program_type_print(program, type, &out);
  exact_quote(&quoted, text_string(&out));
  return text_string(&quoted);
}

typedef struct Printer {
  Effects *e;
  ExactWriter *w;
  Text *out;
} Printer;

static Term count_term(Term t, void *writer) {
  exact_count(writer, t);
  return t;
}

/* ---- parts of a line ---- */

static void prepare(Printer *p, Term t) { exact_let(p->w, t); }
static const char *text_of(Printer *p, Term t) { return exact_text(p->w, t); }

static void prepare_all(Printer *p, const Term *terms, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) prepare(p, terms[i]);
}

static void print_term(Printer *p, const char *before, Term t) {
  if (t) text_format(p->out, "%s%s", before, text_of(p, t));
}

/* (a, -, b): 0 is a dash. */
static void print_list(Printer *p, const char *before, const Term *terms, uint32_t count) {
  if (!count) return;
  text_format(p->out, "%s(", before);
  for (uint32_t i = 0; i < count; i++)
    text_format(p->out, "%s%s", i ? ", " : "", terms[i] ? text_of(p, terms[i]) : "none");
  text_char(p->out, ')');
}

static void end_line(Printer *p, OpId op) {
  if (op)
    text_format(p->out, " ; %s\n", execute_where(p->e, op));
  else
    text_char(p->out, '\n');
}

static void print_flags(Printer *p, const void *of, const EffectsFlag *flags) {
  for (; flags->word; flags++)
    if (*(const bool *)((const char *)of + flags->offset)) text_format(p->out, " %s", flags->word);
}

/* ---- symbols and parameters ---- */

static void print_symbols(Printer *p) {
  TermTable *tt = p->e->tt;
  for (uint32_t i = 0; i < tt->symbols.count; i++) {
    const Symbol *s = &tt->symbols.data[i];
    static const char *const sorts[] = {"int", "real", "bool", "ptr"};
    text_format(p->out, "symbol %s %s %s", p->w->names[i], sorts[s->sort], effects_roles[s->role]);
    if (s->axis) text_format(p->out, " %u", s->axis);
    if (s->is_fresh) text_add(p->out, " fresh");
    text_char(p->out, '\n');
  }
  for (uint32_t i = 0; i < tt->symbols.count; i++) {
    const Symbol *s = &tt->symbols.data[i];
    if (!s->lo && !s->hi) continue;
    prepare(p, s->lo), prepare(p, s->hi);
    text_format(p->out, "range %s", p->w->names[i]);
    print_term(p, " from ", s->lo);
    print_term(p, " to ", s->hi);
    text_char(p->out, '\n');
  }
}

static void print_param(Printer *p, const Param *param) {
  Text name = text_new(p->w->arena);
  exact_quote(&name, param->name);
  text_format(p->out, "param %s %s %s", text_string(&name), exact_symbol(p->w, param->symbol),
              effects_type_text(p->w->arena, p->e->program, param->type));
  if (param->element) text_format(p->out, " of %s", effects_type_text(p->w->arena, p->e->program, param->element));
  print_flags(p, param, effects_param_flags);
  if (param->given.is_constant)
    text_format(p->out, " integer %lld real '%a'", (long long)param->given.integer, param->given.real);
  if (param->given.same_as) text_format(p->out, " same %u", param->given.same_as);
  text_char(p->out, '\n');
}

/* ---- what was found ---- */

static void print_access(Printer *p, const Access *a) {
  prepare(p, a->offset), prepare(p, a->mask), prepare(p, a->value), prepare(p, a->old);
  text_format(p->out, "%s @%u", a->is_store ? "store" : "load", a->op);
  if (a->last_op != a->op) text_format(p->out, " last @%u", a->last_op);
  text_format(p->out, " %s[%s]", exact_symbol(p->w, a->tensor), text_of(p, a->offset));
  text_format(p->out, " %s", effects_type_text(p->w->arena, p->e->program, a->element));
  if (a->is_atomic) text_format(p->out, " atomic %s", term_fold_name(a->atomic_op));
  if (a->absent_other) text_add(p->out, " absent");
  if (a->is_final) text_add(p->out, " final");
  print_list(p, " lanes", a->lanes, a->rank);
  print_list(p, " counters", a->counters, a->counter_count);
  print_term(p, " mask ", a->mask);
  print_term(p, " value ", a->value);
  print_term(p, " old ", a->old);
  end_line(p, a->op);
}

static void print_needs(Printer *p) {
  const Effects *e = p->e;
  for (uint32_t i = 0; i < e->ranges.count; i++) {
    const RangeNeed *n = &e->ranges.data[i];
    prepare(p, n->exact), prepare(p, n->path);
    text_format(p->out, "fits @%u %u%s %s", n->op, n->width, n->of_value ? " value" : "", text_of(p, n->exact));
    if (n->path != e->tt->true_) print_term(p, " where ", n->path);
    end_line(p, n->op);
  }
  for (uint32_t i = 0; i < e->divisions.count; i++) {
    const DivisionNeed *n = &e->divisions.data[i];
    prepare(p, n->divisor), prepare(p, n->path);
    text_format(p->out, "%s @%u %s where %s",
                n->is_statement   ? "states"
                : n->is_undefined ? "decides"
                                  : "divides",
                n->op, text_of(p, n->divisor), text_of(p, n->path));
    end_line(p, n->op);
  }
  for (uint32_t i = 0; i < e->required.count; i++) {
    const RequiredNeed *n = &e->required.data[i];
    prepare(p, n->condition), prepare(p, n->path);
    text_format(p->out, "requires @%u ", n->op);
    exact_quote(p->out, n->text ? n->text : "");
    text_format(p->out, " %s where %s", text_of(p, n->condition), text_of(p, n->path));
    end_line(p, n->op);
  }
  for (uint32_t i = 0; i < e->regions.count; i++) {
    const RegionNeed *r = &e->regions.data[i];
    prepare_all(p, r->a, r->n), prepare_all(p, r->b, r->n), prepare_all(p, r->result, r->n),
        prepare_all(p, r->lane, r->n);
    text_format(p->out, "region @%u", r->op);
    print_list(p, " left", r->a, r->n), print_list(p, " right", r->b, r->n);
    print_list(p, " result", r->result, r->n), print_list(p, " lane", r->lane, r->n);
    end_line(p, r->op);
  }
}

static void print_executed(Printer *p) {
  for (uint32_t i = 0; i < p->e->executed.count; i++) {
    const ExecutedOp *x = &p->e->executed.data[i];
    prepare(p, x->path), prepare(p, x->result), prepare_all(p, x->operands, x->operand_count);
    text_format(p->out, "executed @%u %s", x->op, text_of(p, x->result));
    print_list(p, " of ", x->operands, x->operand_count);
    if (x->path != p->e->tt->true_) print_term(p, " where ", x->path);
    text_format(p->out, " ; %s\n", intern_string(p->e->program->names, program_get_op(p->e->program, x->op)->name));
  }
}

static void print_loop(Printer *p, const LoopRecord *loop) {
  prepare(p, loop->trips), prepare(p, loop->go_on);
  text_format(p->out, "loop @%u %s", loop->op, exact_symbol(p->w, loop->counter));
  print_list(p, " within ", loop->outer, loop->outer_count);
  print_term(p, " trips ", loop->trips);
  print_term(p, " while ", loop->go_on);
  end_line(p, loop->op);
  for (uint32_t i = 0; i < loop->values.count; i++) {
    const LoopValue *v = &loop->values.data[i];
    prepare(p, v->init), prepare(p, v->step), prepare(p, v->closed);
    text_format(p->out, "carries %u %s", v->arg, exact_symbol(p->w, v->symbol));
    if (v->base) text_format(p->out, " in %s", exact_symbol(p->w, v->base));
    if (v->content) text_format(p->out, " content %s", exact_symbol(p->w, v->content));
    print_list(p, " lanes", v->lanes, v->rank);
    print_term(p, " from ", v->init), print_term(p, " step ", v->step), print_term(p, " closed ", v->closed);
    text_char(p->out, '\n');
  }
}

static void print_sums(Printer *p) {
  for (uint32_t i = 0; i < p->e->sums.count; i++) {
    const SumRecord *s = &p->e->sums.data[i];
    prepare_all(p, s->state, s->n), prepare_all(p, s->functional, s->n);
    prepare_all(p, s->part, s->n), prepare_all(p, s->sum, s->n);
    text_add(p->out, "sums");
    print_list(p, " state", s->state, s->n), print_list(p, " functional", s->functional, s->n);
    print_list(p, " part", s->part, s->n), print_list(p, " sum", s->sum, s->n);
    text_char(p->out, '\n');
  }
}

static void print_launch(Printer *p) {
  const Effects *e = p->e;
  for (uint32_t i = 0; i < e->grids.count; i++) {
    const GridNeed *g = &e->grids.data[i];
    prepare(p, g->count);
    text_format(p->out, "grid @%u %u %s", g->op, g->axis, text_of(p, g->count));
    end_line(p, g->op);
  }
  for (uint32_t i = 0; i < e->lane_bounds.count; i++) {
    const LaneBound *b = &e->lane_bounds.data[i];
    prepare(p, b->most), prepare(p, b->bound);
    text_format(p->out, "bound %s below %s\n", text_of(p, b->most), text_of(p, b->bound));
  }
  for (uint32_t i = 0; i < e->assumed.count; i++) {
    prepare(p, e->assumed.data[i]);
    text_format(p->out, "stated %s\n", text_of(p, e->assumed.data[i]));
  }
  for (uint32_t i = 0; i < e->given.count; i++) {
    const ExecuteGiven *g = &e->given.data[i];
    prepare(p, g->condition);
    text_format(p->out, "given '%s' %s ", assumption_name(g->kind), text_of(p, g->condition));
    exact_quote(p->out, message_plain(p->out->arena, g->text)), text_char(p->out, ' '), exact_quote(p->out, g->why),
        text_char(p->out, '\n');
  }
}

static void print_notes(Printer *p, const char *word, const Note *notes, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    text_format(p->out, "%s @%u ", word, notes[i].op);
    exact_quote(p->out, notes[i].text);
    text_char(p->out, '\n');
  }
}

static void print_head(Printer *p) {
  const Effects *e = p->e;
  text_format(p->out, "effects %s", intern_string(e->program->names, e->function->name));
  print_flags(p, e, effects_run_flags);
  text_char(p->out, '\n');
  print_symbols(p);
  for (uint32_t i = 0; i < 3; i++)
    text_format(p->out, "axis %u %s %s\n", i, exact_symbol(p->w, e->pid[i]), exact_symbol(p->w, e->grid[i]));
  for (uint32_t i = 0; i < e->params.count; i++) print_param(p, &e->params.data[i]);
}

void effects_print(Effects *e, Text *out) {
  Printer p = {e, exact_writer_new(out->arena, e->tt, out), out};
  for (uint32_t i = 0; i < e->tt->symbols.count; i++)
    exact_count(p.w, e->tt->symbols.data[i].lo), exact_count(p.w, e->tt->symbols.data[i].hi);
  effects_map(e, EFFECTS_ALL, (EffectsMarks){0}, count_term, p.w);
  print_head(&p);
  for (uint32_t i = 0; i < e->accesses.count; i++) print_access(&p, &e->accesses.data[i]);
  for (uint32_t i = 0; i < e->loops.count; i++) print_loop(&p, &e->loops.data[i]);
  print_sums(&p);
  print_needs(&p);
  print_executed(&p);
  print_launch(&p);
  print_notes(&p, "rounding", e->roundings.data, e->roundings.count);
  print_notes(&p, "opaque", e->opaque.data, e->opaque.count);
  print_notes(&p, "literal", e->literals.data, e->literals.count);
  if (!e->stop_code) return;
  text_format(out, "stopped @%u %s ", e->stop_op, reason_name(e->stop_code));
  exact_quote(out, message_plain(out->arena, e->stop_text));
  text_char(out, '\n');
}

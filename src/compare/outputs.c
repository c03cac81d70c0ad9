/* Which outputs belong together, and what becomes of those without a partner.
 *
 * Names first (--map, equal, alike), then the places of those that remain, where the counts fit. --only restricts the
 * claim to what it names. An output that one side alone writes is compared with the old contents where the other side
 * has that tensor, as an input say: a side that destroys an input is not one that leaves it. Where the other has no
 * such tensor, nothing is known of that output, and the verdict says so (semantics.md, section 1). */
#include <string.h>

#include "compare/side.h"

/* ---- outputs ---- */

static bool is_same_output(const Pairing *p, const char *left, const char *right, int round) {
  const char *wanted = pairing_left_of(p, right);
  if (round == 0) return wanted && !strcmp(wanted, left);
  return round == 1 ? !strcmp(left, right) : pairing_is_alike(left, right);
}

/* The first by place of those that are left; kernels store in any order. UINT32_MAX: none is left. */
static uint32_t first_left(const CompareOutputs *outputs, const uint32_t *partner) {
  uint32_t first = UINT32_MAX;
  for (uint32_t i = 0; i < outputs->count; i++)
    if (partner[i] == OUTPUT_UNPAIRED && !outputs->data[i].is_left_in_argument &&
        (first == UINT32_MAX || outputs->data[i].place < outputs->data[first].place))
      first = i;
  return first;
}

static const PointwiseTensor *find_tensor(const Side *side, const char *name) {
  for (uint32_t i = 0; side->pointwise && i < side->pointwise->tensors.count; i++)
    if (!strcmp(side->pointwise->tensors.data[i].name, name)) return &side->pointwise->tensors.data[i];
  return NULL;
}

/* Paired by their places, although one side has another argument of that name. */
static void note_order(Pairing *p, const Side *left, const Side *right, const char *own, const char *other) {
  if (!find_tensor(right, own) && !find_tensor(left, other)) return;
  const char *text =
      arena_format(p->arena, "%s of the left is compared with %s of the right, by their order", own, other);
  array_push(p->arena, &p->notes, (ReportDifference){"output", own, text, own, other});
}

static const char *names_of(const Pairing *p, const Side *left, const Side *right) {
  Text names = text_new(p->arena);
  text_add(&names, "left: ");
  for (uint32_t i = 0; i < left->outputs.count; i++)
    text_format(&names, "%s%s", i ? ", " : "", left->outputs.data[i].name);
  text_add(&names, "; right: ");
  for (uint32_t k = 0; k < right->outputs.count; k++)
    text_format(&names, "%s%s", k ? ", " : "", right->outputs.data[k].name);
  return text_string(&names);
}

static void usage_of_outputs(Pairing *p, const Side *left, const Side *right) {
  diagnostic_add(p->diagnostics, SEVERITY_ERROR, "usage.pairing", NULL, (Span){0, 0},
                 "pair them with --map LEFT=RIGHT, return variables with the names of the outputs, or restrict the "
                 "claim with --only NAME",
                 "the outputs do not pair by name or number: %s", names_of(p, left, right));
}

/* How many are left, of those that may be paired by their places: what is left in an argument belongs to that tensor
 * alone. */
static uint32_t count_rest(const Side *side, const uint32_t *partner) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < side->outputs.count; i++)
    count += partner[i] == OUTPUT_UNPAIRED && !side->outputs.data[i].is_left_in_argument;
  return count;
}

/* `a *= 2; return a`, where the other side writes a: what is returned is that same tensor, and no second output. */
static void drop_same(const Side *side, uint32_t *partner, uint32_t many) {
  const CompareOutput *all = side->outputs.data;
  for (uint32_t i = 0; i < side->outputs.count; i++)
    for (uint32_t k = 0; k < side->outputs.count && many && partner[i] == OUTPUT_UNPAIRED; k++)
      if (!all[i].is_left_in_argument && all[k].is_left_in_argument && OUTPUT_HAS_PARTNER(partner[k]) &&
          all[i].argument && !strcmp(all[i].argument, all[k].argument))
        partner[i] = OUTPUT_SAME, many--;
}

/* True if it is what a tensor holds in the end, and not what a reference returns. */
static bool is_in_memory(const Side *side, const CompareOutput *o) {
  return o->is_left_in_argument || side->input->kind != CHECK_REFERENCE;
}

/* A parameter of a function, and not what it returns. */
static bool is_argument(const Side *side, const char *name) {
  const Effects *ex = side->claim ? side->claim->ex : NULL;
  for (uint32_t i = 0; ex && i < ex->params.count; i++)
    if (!ex->params.data[i].is_result && !strcmp(ex->params.data[i].name, name)) return true;
  for (uint32_t i = 0; side->is_function && side->pointwise && i < side->pointwise->tensors.count; i++)
    if (!strcmp(side->pointwise->tensors.data[i].name, name)) return !side->pointwise->tensors.data[i].is_result;
  return false;
}

static bool reads(const Side *side, const char *name) {
  const PointwiseTensor *t = find_tensor(side, name);
  return t && t->is_read;
}

/* True if both are arguments that are written, and one of them the other function reads, and leaves as it is: it has
 * that tensor, and its place says nothing else. Or nothing says that they are one. */
static bool are_two(const Side *left, const Side *right, const char *own, const char *other) {
  const PointwiseTensor *a = find_tensor(left, own), *b = find_tensor(right, other);
  if (a && b && !pairing_may_be_one(left->pointwise, right->pointwise, a, b)) return true;
  return is_argument(left, own) && is_argument(right, other) && (reads(right, own) || reads(left, other));
}

#define APART (OUTPUT_SAME - 1) /* without a partner, while others are paired by their places */

static void set_apart(uint32_t *partner, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (partner[i] == APART) partner[i] = OUTPUT_UNPAIRED;
}

/* Of the outputs that take part. False, after a usage error unless it is `quiet`: they do not fit together. */
static bool match(Pairing *p, const Side *left, const Side *right, OutputPairs *pairs, bool quiet) {
  uint32_t matched = 0, *right_of = pairs->partner[0], *left_of = pairs->partner[1];
  for (int in_argument = 1; in_argument >= 0; in_argument--)
    for (int round = 0; round < 3; round++)
      for (uint32_t i = 0; i < left->outputs.count; i++)
        for (uint32_t k = 0; k < right->outputs.count && right_of[i] == OUTPUT_UNPAIRED; k++) {
          const CompareOutput *a = &left->outputs.data[i], *b = &right->outputs.data[k];
          bool is_one = a->is_left_in_argument || b->is_left_in_argument,
               fit = is_one ? is_in_memory(left, a) && is_in_memory(right, b) : !in_argument;
          if (left_of[k] != OUTPUT_UNPAIRED || !fit || !is_same_output(p, a->name, b->name, round)) continue;
          right_of[i] = k, left_of[k] = i, matched++;
        }
  uint32_t left_rest = count_rest(left, right_of), right_rest = count_rest(right, left_of);
  if (left_rest > right_rest) drop_same(left, right_of, left_rest - right_rest);
  if (right_rest > left_rest) drop_same(right, left_of, right_rest - left_rest);
  left_rest = count_rest(left, right_of), right_rest = count_rest(right, left_of);
  if (left_rest == right_rest) {
    for (uint32_t i; (i = first_left(&left->outputs, right_of)) != UINT32_MAX;) {
      uint32_t k = first_left(&right->outputs, left_of);
      right_of[i] = k, left_of[k] = i;
      if (are_two(left, right, left->outputs.data[i].name, right->outputs.data[k].name))
        right_of[i] = left_of[k] = APART;
      else
        note_order(p, left, right, left->outputs.data[i].name, right->outputs.data[k].name);
    }
    set_apart(right_of, left->outputs.count), set_apart(left_of, right->outputs.count);
    return true;
  }
  bool writes_nothing = !left->outputs.count || !right->outputs.count;
  if ((matched || writes_nothing) && (!right_rest || !left_rest)) return true; /* one side gives more */
  if (!quiet) usage_of_outputs(p, left, right);
  return false;
}

/* ---- --map ---- */

static bool is_named_in(const Pointwise *p, const char *name) {
  for (uint32_t i = 0; i < p->tensors.count; i++)
    if (!strcmp(p->tensors.data[i].name, name)) return true;
  for (uint32_t i = 0; i < p->scalars.count; i++)
    if (!strcmp(p->scalars.data[i].name, name)) return true;
  return false;
}

/* A formula without tensors of its own speaks of those of the other side. */
static bool has_name(const Side *side, const Pointwise *known, const char *name) {
  const Operation *operation = side->input->operation;
  bool is_declared = operation && operation->has_tensors;
  const Effects *ex = side->claim && !is_declared ? side->claim->ex : NULL;
  for (uint32_t i = 0; ex && i < ex->params.count; i++) /* also what is a constant, or is not used */
    if (!strcmp(ex->params.data[i].name, name)) return true;
  for (uint32_t i = 0; is_declared && i < operation->tensors.count; i++)
    if (!strcmp(operation->tensors.data[i].name, name)) return true;
  for (uint32_t i = 0; i < side->params.count; i++)
    if (!strcmp(side->params.data[i], name)) return true;
  for (uint32_t i = 0; i < side->outputs.count; i++)
    if (!strcmp(side->outputs.data[i].name, name)) return true;
  if (side->pointwise) return is_named_in(side->pointwise, name);
  return side->input->kind != CHECK_REFERENCE && is_named_in(known, name);
}

bool pairing_check_maps(Pairing *p, const Pointwise *known, const Side *left, const Side *right) {
  for (uint32_t i = 0; i < p->options->maps.count; i++) {
    const NamedText *map = &p->options->maps.data[i];
    bool of_left = has_name(left, known, map->name), of_right = has_name(right, known, map->text);
    if (of_left && of_right) continue;
    diagnostic_add(p->diagnostics, SEVERITY_ERROR, "usage.pairing", NULL, (Span){0, 0},
                   "--map LEFT=RIGHT takes names of inputs, scalars and outputs", "--map %s=%s: the %s has no '%s'",
                   map->name, map->text, of_left ? "right" : "left", of_left ? map->text : map->name);
    return false;
  }
  return true;
}

/* ---- --only ---- */

static bool is_named(const Pairing *p, const char *name) {
  for (uint32_t i = 0; i < p->options->only.count; i++)
    if (pairing_is_alike(p->options->only.data[i], name)) return true;
  return false;
}

/* Every name is that of an output. */
static bool are_outputs(Pairing *p, const Side *left, const Side *right) {
  for (uint32_t i = 0; i < p->options->only.count; i++) {
    const char *name = p->options->only.data[i];
    bool known = false;
    for (uint32_t k = 0; k < left->outputs.count; k++) known |= pairing_is_alike(left->outputs.data[k].name, name);
    for (uint32_t k = 0; k < right->outputs.count; k++) known |= pairing_is_alike(right->outputs.data[k].name, name);
    if (known) continue;
    diagnostic_add(p->diagnostics, SEVERITY_ERROR, "usage.only", NULL, (Span){0, 0},
                   arena_format(p->arena, "outputs: %s", names_of(p, left, right)), "--only %s: no output of that name",
                   name);
    return false;
  }
  return true;
}

static void reset(OutputPairs *pairs, const Side *left, const Side *right) {
  for (uint32_t i = 0; i < left->outputs.count; i++) pairs->partner[0][i] = OUTPUT_UNPAIRED;
  for (uint32_t k = 0; k < right->outputs.count; k++) pairs->partner[1][k] = OUTPUT_UNPAIRED;
}

/* Those that --only names, and their partners, are meant. */
static void exclude_others(const Pairing *p, const Side *const *sides, OutputPairs *pairs) {
  for (int side = 0; side < 2; side++)
    for (uint32_t i = 0; i < sides[side]->outputs.count; i++) {
      uint32_t k = pairs->partner[side][i];
      bool meant = is_named(p, sides[side]->outputs.data[i].name) ||
                   (OUTPUT_HAS_PARTNER(k) && is_named(p, sides[!side]->outputs.data[k].name));
      if (!meant && OUTPUT_HAS_PARTNER(k)) pairs->partner[!side][k] = OUTPUT_EXCLUDED;
      if (!meant) pairs->partner[side][i] = OUTPUT_EXCLUDED;
    }
}

/* A side of which some are named takes part with these alone. */
static void take_part(const Pairing *p, const Side *const *sides, OutputPairs *pairs) {
  for (int side = 0; side < 2; side++) {
    bool some = false;
    for (uint32_t i = 0; i < sides[side]->outputs.count; i++) some |= is_named(p, sides[side]->outputs.data[i].name);
    for (uint32_t i = 0; some && i < sides[side]->outputs.count; i++)
      if (!is_named(p, sides[side]->outputs.data[i].name)) pairs->partner[side][i] = OUTPUT_EXCLUDED;
  }
}

bool pairing_match_outputs(Pairing *p, const Side *left, const Side *right, OutputPairs *pairs) {
  const Side *const sides[] = {left, right};
  uint32_t most = left->outputs.count + right->outputs.count + 1; /* pairing_add_old_contents may add some */
  pairs->partner[0] = arena_array(p->arena, uint32_t, most), pairs->partner[1] = arena_array(p->arena, uint32_t, most);
  reset(pairs, left, right);
  if (!p->options->only.count) return match(p, left, right, pairs, false);
  if (!are_outputs(p, left, right)) return false;
  if (!match(p, left, right, pairs, true)) {
    reset(pairs, left, right);
    take_part(p, sides, pairs);
    if (!match(p, left, right, pairs, false)) return false;
  }
  exclude_others(p, sides, pairs);
  return true;
}

/* ---- old contents ---- */

static const PointwiseTensor *known_tensor(const Pointwise *known, const char *name, bool alike) {
  for (uint32_t i = 0; name && i < known->tensors.count; i++) {
    const char *other = known->tensors.data[i].name;
    if (alike ? pairing_is_alike(other, name) : !strcmp(other, name)) return &known->tensors.data[i];
  }
  return NULL;
}

/* What the output is called among the known tensors. */
static const PointwiseTensor *tensor_of_output(const Pairing *p, const Pointwise *known, const char *name,
                                               bool is_left) {
  const char *wanted = NULL;
  for (uint32_t i = 0; i < p->pairs.count && !wanted; i++)
    if (!strcmp(is_left ? p->pairs.data[i].name : p->pairs.data[i].value, name))
      wanted = is_left ? p->pairs.data[i].value : p->pairs.data[i].name;
  if (!wanted && !is_left) wanted = pairing_left_of(p, name);
  const PointwiseTensor *found = known_tensor(known, name, false);
  if (wanted && (!found || !is_left)) found = known_tensor(known, wanted, false);
  return found ? found : known_tensor(known, name, true);
}

static bool mentions(TermTable *tt, const Side *side, Term tensor) {
  for (uint32_t i = 0; i < side->outputs.count; i++) {
    const CompareOutput *o = &side->outputs.data[i];
    if ((o->value && term_has_symbol(tt, o->value, tensor)) || term_has_symbol(tt, o->region, tensor)) return true;
  }
  return false;
}

/* The other side has the tensor as an argument, or speaks of its elements; where it writes nothing at all, be it an
 * argument that it does not use: else one that it leaves alone has no partner. */
static bool has_argument(const Pairing *p, const Pointwise *known, const Side *side, const PointwiseTensor *t,
                         bool is_left, bool writes_nothing) {
  if (writes_nothing && side->pointwise && known_tensor(side->pointwise, t->name, false)) return true;
  for (uint32_t i = 0; i < p->pairs.count; i++)
    if (!strcmp(is_left ? p->pairs.data[i].value : p->pairs.data[i].name, t->name)) return true;
  return mentions(known->tt, side, t->symbol);
}

/* Of an argument that the left does not use only the right knows the axes. */
static const PointwiseTensor *with_axes(const PointwiseTensor *t, const Side *right, const CompareOutput *o) {
  for (uint32_t i = 0; t && t->rank != o->rank && !t->is_read && !t->is_written && right->imported &&
                       i < right->imported->tensors.count;
       i++) {
    const PointwiseTensor *own = &right->imported->tensors.data[i];
    if (!strcmp(own->name, o->name) && own->rank == o->rank) return own;
  }
  return t;
}

/* The same elements, with what they had before. */
static void push_old_contents(Pairing *p, Side *side, const Pointwise *known, const PointwiseTensor *t,
                              const CompareOutput *like) {
  CompareOutput old = *like;
  old.dtype = NULL, old.expression = NULL, old.known = (TermList){0};
  old.value = term_read(known->tt, t->symbol, t->sort, like->rank, like->index);
  array_push(p->arena, &side->outputs, old);
}

void pairing_add_old_contents(Pairing *p, const Pointwise *known, const Pointwise *base, Side *left, Side *right,
                              OutputPairs *pairs) {
  Side *const sides[] = {left, right};
  const uint32_t counts[] = {left->outputs.count, right->outputs.count};
  for (int side = 0; side < 2; side++)
    for (uint32_t i = 0; i < counts[side]; i++) {
      Side *other = sides[!side];
      const CompareOutput *o = &sides[side]->outputs.data[i];
      if (pairs->partner[side][i] != OUTPUT_UNPAIRED) continue;
      const PointwiseTensor *t = tensor_of_output(p, known, o->name, side == 0);
      if (side == 1) t = with_axes(t, right, o);
      bool has =
          t && ((base && other->pointwise == base) || has_argument(p, known, other, t, side != 0, !counts[!side]));
      if (!has || t->rank != o->rank) continue;
      pairs->partner[side][i] = other->outputs.count, pairs->partner[!side][other->outputs.count] = i;
      push_old_contents(p, other, known, t, o);
    }
}

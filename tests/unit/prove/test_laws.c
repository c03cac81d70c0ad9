/* Every law of src/prove/laws.def against numbers: wherever its conditions hold of the values drawn and one side has a
 * value, the other side has that value, in each direction. And what the engine proves, of laws filled in at random and
 * then spoilt, is held against numbers too (ASSAY_TEST_ROUNDS=N for more). The evaluator here is its own: it knows
 * where a function has no value, which doubles do not. */
#include "../rounds.h"
#include "../term/table.h"

#include <stdlib.h>

#include "laws/law.h"
#include "prove/rewrite.h"

enum { PLACES = 3, TRIALS = 4000 };

typedef struct Value {
  bool defined;
  double v; /* of a condition 0 or 1 */
} Value;

static LawTable *laws;
static uint64_t seed = 1;

/* What the letters stand for: letters below a fold over k, and not free of its index, have a value for each place;
 * below one over j too. */
static Value given[128][PLACES + 1];         /* the last: outside folds */
static Value inner[128][PLACES + 1][PLACES]; /* by k, by j */
static bool has_places[128], has_inner[128];
static int place_of_j;

/* Elements that stand in terms, and their values; the last is the exponential of the one before, and so positive. */
enum { ELEMENTS = 5 };
static Term element[ELEMENTS];
static double element_value[ELEMENTS];

static int start(void **state) {
  table_open(state);
  laws = law_table_new(expression_table_new(tt, &arena));
  for (int i = 0; i < ELEMENTS - 1; i++) {
    Term tensor =
        term_symbol_new(tt, intern_text(&names, (const char *[]){"x", "y", "z", "s"}[i]), SORT_REAL, SYMBOL_TENSOR);
    element[i] = read_at(tensor, tt->zero);
  }
  element[ELEMENTS - 1] = term_fn1(tt, FN_EXP, element[ELEMENTS - 2]);
  return 0;
}

static uint64_t draw(uint64_t below) {
  seed = random_mix(seed + 0x9E3779B97F4A7C15u);
  return seed % below;
}

static double draw_number(void) {
  static const double special[] = {0, 1, -1, 2, -2, 0.5, -0.5, 3, -3, 4, 1e-3, 10};
  if (draw(2)) return special[draw(sizeof special / sizeof *special)];
  return ((double)draw(1000003) / 1000003 - 0.5) * 6;
}

/* ---- evaluation ---- */

static const Value NOTHING = {false, 0};
static Value number(double v) { return isnan(v) ? NOTHING : (Value){true, v}; }

static bool is_whole_number(double v) { return isfinite(v) && floor(v) == v; }

static Value power(double a, double p) {
  if (p == 0) return number(1);
  if (is_whole_number(p)) return a == 0 && p < 0 ? NOTHING : number(pow(a, p));
  if (a < 0 || (a == 0 && p < 0)) return NOTHING;
  return number(pow(a, p));
}

static double inverse_erf(double a) {
  double lo = -6, hi = 6;
  for (int i = 0; i < 200; i++) {
    double mid = (lo + hi) / 2;
    if (erf(mid) < a)
      lo = mid;
    else
      hi = mid;
  }
  return lo;
}

static Value function(ExpressionOp op, double a, double b) {
  switch (op) {
  case EXPRESSION_FN_EXP: return number(exp(a));
  case EXPRESSION_FN_LOG: return a > 0 ? number(log(a)) : NOTHING;
  case EXPRESSION_FN_SIN: return number(sin(a));
  case EXPRESSION_FN_COS: return number(cos(a));
  case EXPRESSION_FN_TAN: return number(tan(a));
  case EXPRESSION_FN_ASIN: return fabs(a) <= 1 ? number(asin(a)) : NOTHING;
  case EXPRESSION_FN_ACOS: return fabs(a) <= 1 ? number(acos(a)) : NOTHING;
  case EXPRESSION_FN_ATAN: return number(atan(a));
  case EXPRESSION_FN_ATAN2: return a == 0 && b == 0 ? NOTHING : number(atan2(a, b));
  case EXPRESSION_FN_SINH: return number(sinh(a));
  case EXPRESSION_FN_COSH: return number(cosh(a));
  case EXPRESSION_FN_TANH: return number(tanh(a));
  case EXPRESSION_FN_ASINH: return number(asinh(a));
  case EXPRESSION_FN_ACOSH: return a >= 1 ? number(acosh(a)) : NOTHING;
  case EXPRESSION_FN_ATANH: return fabs(a) < 1 ? number(atanh(a)) : NOTHING;
  case EXPRESSION_FN_ERF: return number(erf(a));
  case EXPRESSION_FN_ERFINV: return fabs(a) < 1 ? number(inverse_erf(a)) : NOTHING;
  case EXPRESSION_FN_LGAMMA: return a > 0 ? number(lgamma(a)) : NOTHING;
  case EXPRESSION_FN_POW: return a > 0 ? number(pow(a, b)) : NOTHING;
  case EXPRESSION_FN_FMOD: return b != 0 ? number(fmod(a, b)) : NOTHING;
  case EXPRESSION_ADD: return number(a + b);
  case EXPRESSION_MUL: return number(a * b);
  case EXPRESSION_POW: return power(a, b);
  case EXPRESSION_MAX: return number(fmax(a, b));
  case EXPRESSION_MIN: return number(fmin(a, b));
  case EXPRESSION_ABS: return number(fabs(a));
  case EXPRESSION_LT: return number(a < 0);
  case EXPRESSION_LE: return number(a <= 0);
  case EXPRESSION_EQ: return number(a == 0);
  case EXPRESSION_NOT: return number(!(a != 0));
  case EXPRESSION_AND: return number(a != 0 && b != 0);
  case EXPRESSION_OR: return number(a != 0 || b != 0);
  default: return NOTHING;
  }
}

static Value evaluate(Expression e, int place);

/* The place of the index is a number, and so are the bounds: lo <= k < hi. */
static Value fold(const ExpressionNode *n, int outside) {
  bool over_j = expression_node(laws->expressions, n->args[0])->aux == 'j';
  const int outer_j = place_of_j;
  double total = n->op == EXPRESSION_SUM       ? 0
                 : n->op == EXPRESSION_PROD    ? 1
                 : n->op == EXPRESSION_MAXIMUM ? -INFINITY
                                               : INFINITY;
  Value lo = evaluate(n->args[1], outside), hi = evaluate(n->args[2], outside);
  for (int k = (int)lo.v; k < (int)hi.v; k++) {
    if (over_j) place_of_j = k;
    Value go = evaluate(n->args[3], over_j ? outside : k), v = NOTHING;
    if (go.defined && go.v != 0) v = evaluate(n->args[4], over_j ? outside : k);
    place_of_j = outer_j;
    if (go.defined && go.v == 0) continue;
    if (!v.defined) return NOTHING;
    if (n->op == EXPRESSION_SUM)
      total += v.v;
    else if (n->op == EXPRESSION_PROD)
      total *= v.v;
    else
      total = n->op == EXPRESSION_MAXIMUM ? fmax(total, v.v) : fmin(total, v.v);
  }
  return number(total);
}

static Value evaluate(Expression e, int place) {
  ExpressionNode n = *expression_node(laws->expressions, e);
  for (int i = 0; i < ELEMENTS && n.op == EXPRESSION_LEAF; i++)
    if (n.aux == element[i]) return number(element_value[i]);
  if (n.op == EXPRESSION_LEAF) return n.aux == tt->true_ ? number(1) : number(rational_to_double(term_rat(tt, n.aux)));
  if (n.op == EXPRESSION_VARIABLE && has_inner[n.aux]) return inner[n.aux][place][place_of_j];
  if (n.op == EXPRESSION_VARIABLE) return given[n.aux][has_places[n.aux] ? place : PLACES];
  if (n.op == EXPRESSION_SUM || n.op == EXPRESSION_PROD || n.op == EXPRESSION_MAXIMUM || n.op == EXPRESSION_MINIMUM)
    return fold(&n, place);
  Value a = evaluate(n.args[0], place);
  if (!a.defined) return NOTHING;
  if (n.op == EXPRESSION_WHERE) return evaluate(n.args[a.v != 0 ? 1 : 2], place);
  Value b = number(0);
  if (expression_op_arity(n.op) > 1) b = evaluate(n.args[1], place);
  return b.defined ? function(n.op, a.v, b.v) : NOTHING;
}

/* ---- conditions ---- */

/* For all places at which the letters have values. */
static bool is_so(const Law *law, const LawCondition *c, int lo, int hi) {
  bool some_place = false;
  for (uint32_t i = 0; i < c->count; i++) some_place |= c->args[i] >= 0 && has_places[(int)law->variables[c->args[i]]];
  if (c->kind == LAW_SOME || c->kind == LAW_REACHED) some_place = false; /* of the range, not of a place */
  for (int place = some_place ? lo : PLACES; place < (some_place ? hi : PLACES + 1); place++) {
    Value v[3] = {{0}};
    bool defined = true, good = false, some = lo < hi;
    for (int k = 0; k < PLACES; k++) some &= given['g'][k].v != 0;
    for (uint32_t i = 0; i < c->count; i++) {
      int letter = c->args[i] < 0 ? 0 : law->variables[c->args[i]];
      if (!letter)
        v[i] = number(c->numbers[i] == tt->true_ ? 1 : rational_to_double(term_rat(tt, c->numbers[i])));
      else
        v[i] = given[letter][has_places[letter] ? place : PLACES];
      defined &= v[i].defined;
    }
    double a = v[0].v, b = c->count > 1 ? v[1].v : 0, d = c->count > 2 ? v[2].v : 0;
    switch (c->kind) {
    case LAW_ANY:
    case LAW_FREE: good = true; break;
    case LAW_POS: good = a > 0; break;
    case LAW_NONNEG: good = a >= 0; break;
    case LAW_NONZERO: good = a != 0; break;
    case LAW_NEG: good = a < 0; break;
    case LAW_RATIONAL:
      good = defined && isfinite(a);
      defined = true;
      break;
    case LAW_WHOLE:
      good = defined && is_whole_number(a);
      defined = true;
      break;
    case LAW_LE: good = a <= b; break;
    case LAW_SOME:
      good = some;
      defined = true;
      break;
    case LAW_REACHED:
      good = some || v[2].defined;
      defined = true;
      break;
    case LAW_TOTAL:
      good = v[0].defined;
      defined = true;
      break;
    case LAW_POWERS:
      good = a > 0 || (b > 0 && d > 0 && a >= 0) ||
             (is_whole_number(b) && is_whole_number(d) && ((b > 0 && d > 0) || a != 0));
      break;
    case LAW_TOWER:
      good = a > 0 || (b > 0 && d > 0 && a >= 0) ||
             (is_whole_number(b) && is_whole_number(d) && ((b > 0 && d > 0) || b * d < 0 || a != 0));
      break;
    case LAW_SPREAD: good = is_whole_number(d) || a > 0 || b > 0 || (a >= 0 && b >= 0); break;
    }
    if (defined && !good) return false; /* what is not defined meets every condition on its value */
  }
  return true;
}

static bool all_so(const Law *law, const LawConditions *c, int lo, int hi) {
  for (uint32_t i = 0; i < c->count; i++)
    if (!is_so(law, &c->data[i], lo, hi)) return false;
  return true;
}

/* ---- drawing ---- */

static void find_places(const Law *law, Expression e, bool inside) {
  ExpressionNode n = *expression_node(laws->expressions, e);
  bool fold_here =
      n.op == EXPRESSION_SUM || n.op == EXPRESSION_PROD || n.op == EXPRESSION_MAXIMUM || n.op == EXPRESSION_MINIMUM;
  if (n.op == EXPRESSION_VARIABLE && inside) has_places[n.aux] = true;
  for (uint32_t i = 0; i < expression_op_arity(n.op); i++) find_places(law, n.args[i], inside || (fold_here && i >= 3));
}

static void find_free(const Law *law, const LawConditions *c) {
  for (uint32_t i = 0; i < c->count; i++)
    if (c->data[i].kind == LAW_FREE) has_places[(int)law->variables[c->data[i].args[1]]] = false;
}

static bool is_condition(const Law *law, char letter, Expression e) { /* it stands where a condition does */
  ExpressionNode n = *expression_node(laws->expressions, e);
  bool found = false;
  for (uint32_t i = 0; i < expression_op_arity(n.op); i++) {
    ExpressionNode a = *expression_node(laws->expressions, n.args[i]);
    bool place = (n.op == EXPRESSION_WHERE && i == 0) || n.op == EXPRESSION_NOT || n.op == EXPRESSION_AND ||
                 n.op == EXPRESSION_OR || (n.op >= EXPRESSION_SUM && n.op <= EXPRESSION_MINIMUM && i == 3);
    found |= place && a.op == EXPRESSION_VARIABLE && (char)a.aux == letter;
    found |= is_condition(law, letter, n.args[i]);
  }
  return found;
}

static void draw_values(const Law *law, int *lo, int *hi) {
  *lo = (int)draw(PLACES), *hi = (int)draw(PLACES + 1);
  if (draw(3)) *lo = 0;
  memset(given, 0, sizeof given);
  for (int k = 0; k <= PLACES; k++)
    for (int j = 0; j < PLACES; j++) inner['a'][k][j] = draw(20) ? number(draw_number()) : NOTHING;
  for (int place = 0; place <= PLACES; place++) given['g'][place] = number(1);
  for (uint32_t i = 0; i < law->variable_count; i++) {
    char letter = law->variables[i];
    bool truth = is_condition(law, letter, law->left) || is_condition(law, letter, law->right);
    for (int place = 0; place <= PLACES; place++) {
      Value v = number(draw_number());
      if (law->infinite && !draw(5)) v.v = draw(2) ? INFINITY : -INFINITY;
      if (!draw(20)) v = NOTHING;
      if (truth) v = draw(20) ? number((double)draw(2)) : NOTHING;
      given[(int)letter][place] = v;
    }
    if (!draw(4) && i)
      memcpy(given[(int)letter], given[(int)law->variables[draw(i)]], sizeof given[0]); /* equal ones */
    if (truth)
      for (int place = 0; place <= PLACES; place++) given[(int)letter][place].v = given[(int)letter][place].v != 0;
  }
  for (int place = 0; place <= PLACES; place++) given['l'][place] = number(*lo), given['h'][place] = number(*hi);
  if (draw(2))
    for (int place = 0; place <= PLACES; place++) given['g'][place] = number(1);
  double first = (double)draw(2), end = (double)draw(PLACES + 1);
  for (int place = 0; place <= PLACES && has_inner['a']; place++)
    given['m'][place] = number(first), given['n'][place] = number(end);
}

static bool is_close(Value a, Value b) {
  if (!b.defined) return false;
  if (a.v == b.v) return true;
  return fabs(a.v - b.v) <= 1e-7 * (1 + fabs(a.v) + fabs(b.v));
}

static void check_law(const Law *law) {
  uint32_t forward = 0, backward = 0;
  memset(has_places, 0, sizeof has_places);
  has_inner['a'] = strstr(law->left_text, "?j") != NULL;
  find_places(law, law->left, false), find_places(law, law->right, false);
  find_free(law, &law->both);
  has_places['k'] = has_places['l'] = has_places['h'] = has_places['j'] = has_places['m'] = has_places['n'] = false;
  for (int trial = 0; trial < TRIALS; trial++) {
    int lo, hi;
    draw_values(law, &lo, &hi);
    if (strstr(law->left_text, "?k") && hi > PLACES) continue;
    if (!all_so(law, &law->both, lo, hi)) continue;
    Value left = evaluate(law->left, PLACES), right = evaluate(law->right, PLACES);
    bool large = (left.defined && fabs(left.v) > 1e9 && isfinite(left.v)) ||
                 (right.defined && fabs(right.v) > 1e9 && isfinite(right.v)); /* nothing is left of the digits */
    if (large) continue;
    if (left.defined && all_so(law, &law->forward, lo, hi)) {
      if (!is_close(left, right))
        fail_msg("%s, left to right: %.17g, right %s %.17g, trial %d", law->name, left.v,
                 right.defined ? "is" : "has no value", right.v, trial);
      forward++;
    }
    if (right.defined && all_so(law, &law->backward, lo, hi)) {
      if (!is_close(right, left))
        fail_msg("%s, right to left: %.17g, left %s %.17g, trial %d", law->name, right.v,
                 left.defined ? "is" : "has no value", left.v, trial);
      backward++;
    }
  }
  if (forward < 20 || backward < 20) fail_msg("%s was met by %u and %u draws only", law->name, forward, backward);
}

static void test_laws_hold(void **state) {
  (void)state;
  assert_true(laws->laws.count > 100);
  for (uint32_t i = 0; i < laws->laws.count; i++) check_law(&laws->laws.data[i]);
}

/* The check itself finds what is wrong: laws without their conditions, and laws that are none. */
static void test_wrong_laws_are_found(void **state) {
  (void)state;
  static const char *const wrong[][2] = {
      {"(pow (pow ?a 2) 1/2)", "?a"},
      {"(log (mul ?a ?b))", "(add (log ?a) (log ?b))"},
      {"(mul ?a (pow ?a -1))", "1"},
      {"(max (mul ?c ?a) (mul ?c ?b))", "(mul ?c (max ?a ?b))"},
      {"(exp (log ?a))", "?a"},
      {"(pow (mul ?a ?b) 1/2)", "(mul (pow ?a 1/2) (pow ?b 1/2))"},
      {"(min (max ?x ?a) ?b)", "(max (min ?x ?b) ?a)"},
      {"(abs ?a)", "?a"},
      {"(maximum ?k ?l ?h true ?c)", "?c"},
      {"(where (lt ?a) ?b ?d)", "(where (le ?a) ?b ?d)"},
      {"(atan2 ?a ?b)", "(atan (mul ?a (pow ?b -1)))"},
      {"(mul 0 ?a)", "0"},
  };
  for (uint32_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    const char *left = wrong[i][0], *right = wrong[i][1];
    Law law = {.name = "wrong", .left_text = left};
    law.left = expression_read(laws->expressions, &left), law.right = expression_read(laws->expressions, &right);
    for (const char *letters = "abcdxklh"; *letters; letters++) law.variables[law.variable_count++] = *letters;
    bool found = false;
    memset(has_places, 0, sizeof has_places);
    for (int trial = 0; trial < TRIALS && !found; trial++) {
      int lo, hi;
      draw_values(&law, &lo, &hi);
      Value a = evaluate(law.left, PLACES), b = evaluate(law.right, PLACES);
      found = (a.defined && !is_close(a, b)) || (b.defined && !is_close(b, a));
    }
    if (!found) fail_msg("%s = %s was not found to be wrong", wrong[i][0], wrong[i][1]);
  }
}

/* ---- the engine ---- */

static Expression random_expression(int depth) {
  static const ExpressionOp unary[] = {EXPRESSION_FN_EXP, EXPRESSION_FN_LOG, EXPRESSION_FN_TANH, EXPRESSION_ABS,
                                       EXPRESSION_FN_SIN, EXPRESSION_POW,    EXPRESSION_POW};
  static const ExpressionOp binary[] = {EXPRESSION_ADD, EXPRESSION_MUL, EXPRESSION_MAX, EXPRESSION_MIN,
                                        EXPRESSION_WHERE};
  static const Rational powers[] = {{2, 1}, {-1, 1}, {1, 2}, {-1, 2}};
  ExpressionTable *table = laws->expressions;
  Expression args[EXPRESSION_ARITY] = {0};
  if (depth == 0 || !draw(3)) {
    if (!draw(4)) return expression_leaf(table, term_int(tt, (int64_t)draw(5) - 2));
    return expression_leaf(table, element[draw(ELEMENTS)]);
  }
  bool one = draw(2);
  ExpressionOp op = one ? unary[draw(sizeof unary / sizeof *unary)] : binary[draw(sizeof binary / sizeof *binary)];
  for (uint32_t i = 0; i < 3; i++) args[i] = random_expression(depth - 1);
  if (op == EXPRESSION_POW) args[1] = expression_leaf(table, term_new_rat(tt, powers[draw(4)]));
  if (op == EXPRESSION_WHERE) args[0] = expression_make(table, EXPRESSION_LT, args);
  return expression_make(table, op, args);
}

/* The pattern with expressions for its letters. */
static Expression filled_in(Expression pattern, const Expression *letters) {
  ExpressionNode n = *expression_node(laws->expressions, pattern);
  if (n.op == EXPRESSION_VARIABLE) return letters[n.aux];
  if (n.op == EXPRESSION_LEAF) return pattern;
  for (uint32_t i = 0; i < expression_op_arity(n.op); i++)
    if (!(n.args[i] = filled_in(n.args[i], letters))) return 0;
  return expression_make(laws->expressions, n.op, n.args);
}

/* Something else in one place. */
static Expression spoilt(Expression e) {
  ExpressionNode n = *expression_node(laws->expressions, e);
  uint32_t arity = expression_op_arity(n.op), at = arity ? (uint32_t)draw(arity) : 0;
  if (!arity || !draw(4)) return random_expression(1);
  if (n.op == EXPRESSION_ADD && !draw(4))
    n.op = EXPRESSION_MUL;
  else if (n.op == EXPRESSION_MAX && !draw(2))
    n.op = EXPRESSION_MIN;
  else if (n.op == EXPRESSION_LT && !draw(2))
    n.op = EXPRESSION_LE;
  else if (!(n.args[at] = spoilt(n.args[at])))
    return 0;
  return expression_make(laws->expressions, n.op, n.args);
}

/* Made of numbers and elements: integers that are computed from others are leaves, which are not evaluated here. */
static bool is_plain(Expression e) {
  ExpressionNode n = *expression_node(laws->expressions, e);
  bool known = n.op != EXPRESSION_LEAF || term_is_rat(tt, n.aux);
  for (int i = 0; i < ELEMENTS; i++) known |= n.aux == element[i];
  for (uint32_t i = 0; i < expression_op_arity(n.op); i++) known &= is_plain(n.args[i]);
  return known;
}

/* Some values at which left has a value and right has not that one. */
static bool differ(Expression left, Expression right) {
  for (int trial = 0; trial < 200; trial++) {
    for (int i = 0; i < ELEMENTS; i++) element_value[i] = draw_number();
    element_value[ELEMENTS - 1] = exp(element_value[ELEMENTS - 2]);
    Value a = evaluate(left, PLACES), b = evaluate(right, PLACES);
    if (!a.defined || !isfinite(a.v) || fabs(a.v) > 1e6 || (b.defined && fabs(a.v - b.v) <= 1e-5 * (1 + fabs(a.v))))
      continue;
    if (b.defined && (fabs(b.v) > 1e6 || fabs(a.v - b.v) <= 1e-2 * (1 + fabs(a.v))))
      continue; /* rounding may be all there is */
    return true;
  }
  return false;
}

static void test_the_engine_proves_nothing_that_is_wrong(void **state) {
  const char *rounds = getenv("ASSAY_TEST_ROUNDS");
  uint32_t wanted = rounds ? (uint32_t)atoi(rounds) : (uint32_t)rounds_of(32), wrong = 0, proved = 0;
  (void)state;
  for (uint32_t trial = 0; wrong < wanted && trial < 200 * wanted; trial++) {
    const Law *law = &laws->laws.data[draw(laws->laws.count)];
    Expression letters[128];
    if (strstr(law->left_text, "?k") || strstr(law->left_text, "not")) continue;
    for (int i = 0; i < 128; i++) letters[i] = random_expression(1);
    if (strstr(law->left_text, "(where ?c"))
      letters['c'] = expression_make(laws->expressions, EXPRESSION_LT, &letters['c']);
    for (int i = 'p'; i <= 'q'; i++)
      letters[i] =
          expression_leaf(laws->expressions, term_new_rat(tt, (Rational[]){{2, 1}, {1, 2}, {-1, 1}, {3, 1}}[draw(4)]));
    Expression left = filled_in(law->left, letters), right = filled_in(law->right, letters);
    if (right && draw(3)) right = spoilt(right);
    if (left && draw(2)) {
      Expression other = left;
      left = right, right = other;
    }
    if (!left || !right) continue;
    Term a = expression_term(laws->expressions, left), b = expression_term(laws->expressions, right);
    if (!a || !b || (term_node(tt, a)->flags | term_node(tt, b)->flags) & TERM_HAS_INF) continue;
    Expression x = expression_of(laws->expressions, a),
               y = expression_of(laws->expressions, b); /* what the terms say, which may be less than was written */
    if (!is_plain(x) || !is_plain(y)) continue;
    bool different = differ(x, y);
    if (!different && draw(8)) continue;
    bool shown = rewrite_prove(tt, a, b, NULL);
    if (different && shown) fail_msg("%s = %s is proved", term_text(tt, a), term_text(tt, b));
    if (different) wrong++;
    proved += shown;
  }
  assert_true(wrong == wanted);
  if (rounds) print_message("%u wrong goals, %u proved\n", wrong, proved);
}

/* ---- the engine on folds ---- */

static Term row, sizes[2]; /* a tensor; a size that may be 0, and one that may not */

static TermValue read_row(void *payload, Term tensor, uint32_t count, const int64_t *index) {
  const uint64_t *key = payload;
  uint64_t h = random_mix(*key + 977 * (uint64_t)tensor + 31 * (uint64_t)(count ? index[0] : 0));
  static const double special[] = {0, 1, -1, 2, 0.5, -3};
  return (TermValue){.real = h & 1 ? special[(h >> 8) % 6] : ((double)(h >> 11 & 0xFFFF) / 0x10000 - 0.5) * 5};
}

/* By the terms' own evaluation: where left is a number, right is none or another. */
static bool terms_differ(Term a, Term b) {
  for (uint64_t trial = 0; trial < 300; trial++) {
    uint64_t key = random_mix(trial + 77);
    Arena *scratch = arena_new_child(&arena);
    TermEval *eval = term_eval_new(tt, scratch, read_row, &key);
    for (int64_t i = 0; i < 2; i++)
      term_eval_set(eval, sizes[i], (TermValue){(double)(trial % 3) + (double)i, (int64_t)(trial % 3) + i});
    double x = term_eval(eval, a).real, y = term_eval(eval, b).real;
    arena_destroy(scratch);
    if (isfinite(x) && fabs(x) < 1e6 && !(fabs(x - y) <= 1e-2 * (1 + fabs(x)))) return true;
  }
  return false;
}

/* An expression over an element of the row (if index is not 0), another element and numbers. */
static Expression body_of(ExpressionTable *table, Term index, int depth) {
  static const ExpressionOp unary[] = {EXPRESSION_FN_EXP, EXPRESSION_FN_TANH, EXPRESSION_ABS, EXPRESSION_POW};
  static const ExpressionOp binary[] = {EXPRESSION_ADD, EXPRESSION_MUL, EXPRESSION_MAX, EXPRESSION_MIN};
  Expression args[EXPRESSION_ARITY] = {0};
  if (depth == 0 || !draw(3)) {
    uint64_t kind = draw(5);
    if (kind == 0) return expression_leaf(table, term_int(tt, (int64_t)draw(4) - 1));
    return expression_leaf(table, index && kind > 1 ? read_at(row, index) : element[draw(2)]);
  }
  ExpressionOp op = draw(2) ? unary[draw(4)] : binary[draw(4)];
  for (uint32_t i = 0; i < 2; i++) args[i] = body_of(table, index, depth - 1);
  if (op == EXPRESSION_POW) args[1] = expression_leaf(table, draw(2) ? term_int(tt, 2) : tt->minus_one);
  return expression_make(table, op, args);
}

static void test_the_engine_proves_nothing_wrong_of_folds(void **state) {
  const char *rounds = getenv("ASSAY_TEST_ROUNDS");
  uint32_t wanted = rounds ? (uint32_t)atoi(rounds) : (uint32_t)rounds_of(32), wrong = 0, proved = 0;
  ExpressionTable *table = laws->expressions;
  (void)state;
  row = symbol("row", SORT_REAL, SYMBOL_TENSOR);
  for (int i = 0; i < 2; i++)
    sizes[i] = term_symbol_range(tt, term_symbol_new(tt, intern_text(&names, i ? "n" : "m"), SORT_INT, SYMBOL_SIZE),
                                 term_int(tt, i), 0);
  for (uint32_t trial = 0; wrong < wanted && trial < 400 * wanted; trial++) {
    const Law *law = &laws->laws.data[draw(laws->laws.count)];
    if (!strstr(law->left_text, "?k") || strstr(law->left_text, "?j")) continue;
    Term end = sizes[draw(2)], k = index_in(tt->zero, end);
    Expression fold = expression_of(table, term_fold(tt, FOLD_SUM, k, tt->zero, end, tt->true_, read_at(row, k))),
               letters[128] = {0}, sides[2];
    const ExpressionNode node = *expression_node(table, fold); /* its index, and its bounds */
    Term index = expression_node(table, node.args[0])->aux;
    letters['k'] = node.args[0], letters['l'] = node.args[1], letters['h'] = node.args[2], letters['g'] = node.args[3];
    for (int side = 0; side < 2; side++) {
      char change =
          side == 0 || draw(3) == 0 ? '*' : "abcp"[draw(4)]; /* on the right one letter may stand for something else */
      for (const char *c = "abcp"; *c; c++) {
        if (side && *c != change) continue;
        letters[(int)*c] = *c == 'p' ? expression_leaf(table, term_int(tt, draw(2) ? 2 : 1))
                                     : body_of(table, *c == 'c' && draw(6) ? 0 : index, 2);
      }
      sides[side] = filled_in(side ? law->right : law->left, letters);
    }
    if (!sides[0] || !sides[1] || expression_node(table, sides[0])->free || expression_node(table, sides[1])->free)
      continue;
    Term a = expression_term(table, sides[draw(2)]), b = expression_term(table, sides[0]);
    if (a == b) b = expression_term(table, sides[1]);
    if (!a || !b || a == b) continue;
    bool different = terms_differ(a, b);
    if (!different && draw(4)) continue;
    bool shown = rewrite_prove(tt, a, b, NULL);
    if (different && shown) fail_msg("%s = %s is proved", term_text(tt, a), term_text(tt, b));
    if (different) wrong++;
    proved += shown;
  }
  if (rounds) print_message("%u wrong goals of folds, %u proved\n", wrong, proved);
  assert_true(wrong == wanted);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_laws_hold, start, table_close),
      cmocka_unit_test_setup_teardown(test_wrong_laws_are_found, start, table_close),
      cmocka_unit_test_setup_teardown(test_the_engine_proves_nothing_that_is_wrong, start, table_close),
      cmocka_unit_test_setup_teardown(test_the_engine_proves_nothing_wrong_of_folds, start, table_close),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

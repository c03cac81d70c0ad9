/* Fuzzes the e-graph: rules and terms, as text or drawn from the input's bytes. Whatever they are, the graph must
 * stay consistent within its limits, extraction must work, and explanations must check.
 *
 * The first byte picks the options. If the second is `=`, the rest is rule text, a line `---`, and terms, one a
 * line; else each further byte is a choice in making up rules and terms, nearly all of them well-formed. */
#include "egraph.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { TERMS = 4, PAIRS = 2, EXTRACTED = 1, TEXT = 2000, INPUT = 120, INPUT_TEXT = 300 };

static void require(bool good, const char *what) {
  if (good) return;
  fprintf(stderr, "fuzz_egraph: %s\n", what);
  abort();
}

/* -- rules and terms from bytes ---------------------------------------------------------------------------- */

typedef struct {
  const uint8_t *at, *end;
  char text[TEXT];
  size_t used;
  char bound[8]; /* variables of the left side */
} Source;

static unsigned below(Source *source, unsigned n) { return source->at < source->end ? *source->at++ % n : 0; }

static void put(Source *source, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(source->text + source->used, TEXT - source->used, format, arguments);
  va_end(arguments);
  source->used += (size_t)length;
  if (source->used >= TEXT) source->used = TEXT - 1;
}

/* A right side uses variables of the left side, nearly always. */
static void put_variable(Source *source) {
  size_t count = strlen(source->bound);
  unsigned choice = below(source, 64);
  put(source, "?%c", count && choice < 63 ? source->bound[choice % count] : "xyz"[choice % 3]);
}

static void put_term(Source *source, unsigned depth, bool variables) {
  static const struct {
    const char *name;
    unsigned arity;
  } OPERATORS[] = {{"a", 0}, {"b", 0}, {"1", 0}, {"g", 1}, {"f", 2}, {"f", 2}, {"h", 3}};
  unsigned kind = below(source, variables ? 9 : 7);
  if (kind >= 7) {
    put_variable(source);
    return;
  }
  unsigned arity = depth ? OPERATORS[kind].arity : 0;
  put(source, "%s%s", arity ? "(" : "", depth || kind < 3 ? OPERATORS[kind].name : "c");
  for (unsigned i = 0; i < arity; i++) {
    put(source, " ");
    put_term(source, depth - 1, variables);
  }
  put(source, arity ? ")" : "");
}

static void put_rule(Source *source, unsigned number) {
  static const char *const LEFTS[] = {"?x = (g ?y), ?z = (f ?y ?x)", "?x = (f ?y ?z), ?x = (h ?y ?y ?z)",
                                      "(f (g ?x) (g ?y)), (g (f ?x ?z))", "?x"};
  unsigned form = below(source, 10);
  size_t start = source->used;
  source->bound[0] = 0;
  put(source, "r%u: ", number);
  if (form < 4)
    put(source, "%s", LEFTS[form]);
  else
    put_term(source, 2, true);
  size_t count = 0;
  for (char c = 'x'; c <= 'z'; c++)
    if (strstr(source->text + start, (char[]){'?', c, 0})) source->bound[count++] = c;
  source->bound[count] = 0;
  put(source, form == 4 ? " <=> " : " => ");
  if (form == 0) put(source, "?z = (g ?x), ?x = ");
  if (form == 5)
    put(source, "@pick ?%c ?%c", count ? source->bound[0] : 'x', count ? source->bound[count - 1] : 'x');
  else
    put_term(source, 2, true);
  if (form == 6 && count) put(source, " if (odd ?%c)", source->bound[0]);
  put(source, "\n");
}

static void put_input(Source *source) {
  for (unsigned i = 0, rules = 1 + below(source, 3); i < rules; i++) put_rule(source, i);
  put(source, "\n---\n");
  for (unsigned i = 0, terms = 2 + below(source, 3); i < terms; i++) {
    put_term(source, 3, false);
    put(source, "\n");
  }
}

/* -- what must hold ------------------------------------------------------------------------------------------ */

static void explain_pairs(EGraph *graph, const char *rules, char **terms, const EGraphClass *classes, size_t count) {
  unsigned pairs = 0;
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < i && pairs < PAIRS; j++) {
      char *proof, why[200];
      if (!egraph_equal(graph, classes[i], classes[j])) continue;
      pairs++;
      EGraphStatus status = egraph_explain(&proof, graph, terms[i], terms[j]);
      require(status == EGRAPH_OK, "no explanation");
      status = egraph_explain_check(proof, rules, terms[i], terms[j], NULL, why, sizeof why);
      if (status != EGRAPH_OK) fprintf(stderr, "%s\n%s\n%s = %s\n%s", why, rules, terms[i], terms[j], proof);
      require(status == EGRAPH_OK, "an explanation does not check");
      free(proof);
    }
}

static void extract(const EGraph *graph, EGraphClass class, bool dag) {
  char *text;
  double cost, shared;
  EGraphClass found;
  bool optimal;
  require(egraph_extract_tree(&text, &cost, graph, class, NULL, NULL) == EGRAPH_OK, "no term");
  require(egraph_lookup_text(&found, graph, text) == EGRAPH_OK && egraph_equal(graph, found, class), "another term");
  free(text);
  if (!dag) return;
  require(egraph_extract_dag(&text, &shared, &optimal, graph, class, NULL, NULL, 200) == EGRAPH_OK, "no dag");
  require(shared <= cost, "sharing costs more");
  free(text);
}

static void check(const EGraph *graph) {
  const char *broken = egraph_check(graph);
  require(!broken, broken);
}

static bool odd(const EGraph *graph, const EGraphClass *arguments, unsigned count, void *payload) {
  (void)graph, (void)payload;
  return count == 1 && arguments[0] % 2;
}

static EGraphStatus pick(EGraphClass *out, EGraph *graph, const EGraphClass *arguments, unsigned count, void *payload) {
  (void)payload;
  if (count != 2 || arguments[0] == arguments[1]) return EGRAPH_NOT_FOUND;
  EGraphOperator op;
  EGraphStatus status = egraph_operator_intern(&op, graph, "f", 2);
  return status == EGRAPH_OK ? egraph_add(out, graph, op, arguments) : status;
}

static void run(EGraph *graph, EGraphRules *rules, unsigned char bits) {
  EGraphRunOptions options = EGRAPH_RUN_OPTIONS_INIT;
  EGraphReport report;
  options.iterations = 3;
  options.seconds = 0.1;
  options.backoff = (bits & 4) != 0;
  options.backoff_limit = 5;
  options.backoff_length = 1;
  egraph_run(&report, graph, rules, &options);
}

static void fuzz_graph(EGraph *graph, const char *rules_text, char *lines, unsigned char bits) {
  EGraphClass classes[TERMS];
  char *terms[TERMS];
  size_t count = 0;
  EGraphRules *rules;
  EGraphDiagnostic problem = {0};
  EGraphSnapshot *snapshot = NULL;
  egraph_condition_register(graph, "odd", 1, odd, NULL);
  egraph_function_register(graph, "pick", 2, pick, NULL);
  EGraphStatus status = egraph_rules_parse(&rules, graph, rules_text, &problem);
  require(status != EGRAPH_BAD_INPUT || (problem.line && problem.column && problem.code), "no diagnostic");
  for (char *line = strtok(lines, "\n"); line && count < TERMS; line = strtok(NULL, "\n"))
    if (egraph_add_text(&classes[count], graph, line, NULL) == EGRAPH_OK) terms[count++] = line;
  if (count > 2 && bits & 16) egraph_union(graph, classes[0], classes[1], "given");
  if (bits & 32) egraph_snapshot_take(&snapshot, graph);
  size_t nodes = egraph_node_count(graph), total = egraph_class_count(graph);
  if (status == EGRAPH_OK) run(graph, rules, bits);
  require(egraph_rebuild(graph) != EGRAPH_BAD_INPUT, "rebuild");
  check(graph);
  for (size_t i = 0; i < count && i < EXTRACTED; i++) extract(graph, classes[i], i == 0);
  if (bits & 1) explain_pairs(graph, rules_text, terms, classes, count);
  if (!snapshot) return;
  if (egraph_snapshot_restore(graph, snapshot) == EGRAPH_OK)
    require(egraph_node_count(graph) == nodes && egraph_class_count(graph) == total, "another graph came back");
  check(graph);
  egraph_snapshot_destroy(snapshot);
}

/* libFuzzer's entropic schedule keeps books over every feature of every input: half of all time here. */
int LLVMFuzzerInitialize(int *count, char ***arguments);
int LLVMFuzzerInitialize(int *count, char ***arguments) {
  static char entropic[] = "-entropic=0";
  char **more = malloc(((size_t)*count + 2) * sizeof *more);
  if (!more) return 0;
  memcpy(more, *arguments, (size_t)*count * sizeof *more);
  more[(*count)++] = entropic;
  more[*count] = NULL;
  *arguments = more;
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 3 || size > (size_t)(data[1] == '=' ? INPUT_TEXT : INPUT)) return 0;
  static Source source;
  source = (Source){.at = data + 1, .end = data + size};
  if (data[1] == '=') {
    memcpy(source.text, data + 2, size - 2);
    source.text[size - 2] = 0;
  } else
    put_input(&source);
  char *cut = strstr(source.text, "\n---\n"), none[1] = {0};
  if (cut) *cut = 0;
  EGraphOptions options = EGRAPH_OPTIONS_INIT;
  options.explain = data[0] & 1;
  options.node_limit = data[0] & 2 ? 16 : 60;
  options.memory_limit = data[0] & 8 ? (size_t)6000 + (size_t)(data[0] >> 4) * 1500 : (size_t)2 << 20;
  EGraph *graph;
  if (egraph_create(&graph, &options) != EGRAPH_OK) return 0;
  fuzz_graph(graph, source.text, cut ? cut + 5 : none, data[0]);
  require(egraph_memory_peak(graph) <= options.memory_limit, "over the memory limit");
  require(egraph_node_count(graph) <= options.node_limit, "over the node limit");
  egraph_destroy(graph);
  return 0;
}

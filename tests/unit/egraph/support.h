/* What the tests of the e-graph share. */
#ifndef SUPPORT_H
#define SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "egraph.h"

#include <stdlib.h>
#include <string.h>

/* A seeded random number below n. */
static inline uint32_t random_below(uint64_t *state, uint32_t n) {
  *state += UINT64_C(0x9e3779b97f4a7c15);
  uint64_t z = *state;
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return (uint32_t)((z ^ z >> 31) % n);
}

static inline EGraph *graph_new(bool explain) {
  EGraphOptions options = EGRAPH_OPTIONS_INIT;
  options.explain = explain;
  EGraph *graph;
  assert_int_equal(egraph_create(&graph, &options), EGRAPH_OK);
  return graph;
}

static inline EGraphClass add(EGraph *graph, const char *text) {
  EGraphClass class;
  EGraphDiagnostic problem = {0};
  EGraphStatus status = egraph_add_text(&class, graph, text, &problem);
  if (status != EGRAPH_OK) print_message("%s: %s\n", text, problem.text);
  assert_int_equal(status, EGRAPH_OK);
  return class;
}

static inline EGraphRules *rules_of(EGraph *graph, const char *text) {
  EGraphRules *rules;
  EGraphDiagnostic problem = {0};
  EGraphStatus status = egraph_rules_parse(&rules, graph, text, &problem);
  if (status != EGRAPH_OK) print_message("%u:%u: %s\n", problem.line, problem.column, problem.text);
  assert_int_equal(status, EGRAPH_OK);
  return rules;
}

static inline EGraphReport run(EGraph *graph, EGraphRules *rules, size_t iterations) {
  EGraphRunOptions options = EGRAPH_RUN_OPTIONS_INIT;
  options.iterations = iterations;
  EGraphReport report;
  egraph_run(&report, graph, rules, &options);
  const char *broken = egraph_check(graph);
  if (broken) print_message("invariant: %s\n", broken);
  assert_null(broken);
  return report;
}

/* Explains, checks the certificate, and returns how many steps it had to assume. */
static inline size_t explained(EGraph *graph, const char *rules, const char *left, const char *right) {
  char *text, why[200];
  size_t assumed;
  assert_int_equal(egraph_explain(&text, graph, left, right), EGRAPH_OK);
  EGraphStatus status = egraph_explain_check(text, rules, left, right, &assumed, why, sizeof why);
  if (status != EGRAPH_OK) print_message("%s\n%s\n", why, text);
  assert_int_equal(status, EGRAPH_OK);
  free(text);
  return assumed;
}

#endif

/* What the benchmark programs share: the options, the run and the report. */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include "egraph.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

typedef struct {
  size_t iterations;
  bool explain, analyses, brief;
} WorkloadOptions;

/* [ITERATIONS] [--explain] [--no-analyses] [--brief] */
static inline WorkloadOptions workload_options(int count, char **arguments, size_t iterations) {
  WorkloadOptions options = {iterations, false, true, false};
  for (int i = 1; i < count; i++) {
    if (strcmp(arguments[i], "--explain") == 0)
      options.explain = true;
    else if (strcmp(arguments[i], "--no-analyses") == 0)
      options.analyses = false;
    else if (strcmp(arguments[i], "--brief") == 0)
      options.brief = true;
    else {
      char *end;
      options.iterations = strtoul(arguments[i], &end, 10);
      if (arguments[i][0] >= '0' && arguments[i][0] <= '9' && *end == 0) continue;
      fprintf(stderr, "usage: %s [ITERATIONS] [--explain] [--no-analyses] [--brief]\n", arguments[0]);
      exit(2);
    }
  }
  return options;
}

static inline EGraph *workload_graph(const WorkloadOptions *options) {
  EGraphOptions graph_options = EGRAPH_OPTIONS_INIT;
  graph_options.explain = options->explain;
  EGraph *graph;
  if (egraph_create(&graph, &graph_options) != EGRAPH_OK) exit(1);
  return graph;
}

static inline EGraphRules *workload_rules(EGraph *graph, const char *text) {
  EGraphDiagnostic problem;
  EGraphRules *rules;
  if (egraph_rules_parse(&rules, graph, text, &problem) == EGRAPH_OK) return rules;
  fprintf(stderr, "rules:%u:%u: %s\n", problem.line, problem.column, problem.text);
  exit(1);
}

/* Peak MB of this program alone: ru_maxrss would count the process that started it. */
static inline double workload_peak(void) {
  char line[200];
  double kilobytes = 0;
  FILE *file = fopen("/proc/self/status", "r");
  while (file && fgets(line, sizeof line, file))
    if (strncmp(line, "VmHWM:", 6) == 0) kilobytes = strtod(line + 6, NULL);
  if (file) fclose(file);
  return kilobytes * 1024 / 1e6;
}

static inline void workload_report(const char *name, const WorkloadOptions *options, EGraph *graph,
                                   EGraphRules *rules) {
  EGraphRunOptions run = EGRAPH_RUN_OPTIONS_INIT;
  run.iterations = options->iterations;
  EGraphReport report;
  egraph_run(&report, graph, rules, &run);
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  double cpu = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
               1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
  double megabytes = workload_peak(), nodes = (double)egraph_node_count(graph);
  if (options->brief) {
    printf("%s %zu %.0f %zu %.3f %.1f %.3f %.3f %.3f\n", name, report.iterations, nodes, egraph_class_count(graph), cpu,
           megabytes, report.search_seconds, report.apply_seconds, report.rebuild_seconds);
    return;
  }
  printf("%s: %zu iterations, stopped: %s, explanations %s, analyses %s\n", name, report.iterations,
         egraph_stop_name(report.stop), options->explain ? "on" : "off", options->analyses ? "on" : "off");
  printf("  e-nodes   %12.0f\n  classes   %12zu\n  matches   %12zu\n  unions    %12zu\n", nodes,
         egraph_class_count(graph), report.matches, report.unions);
  printf("  CPU       %12.3f s   (search %.3f, apply %.3f, rebuild and analyses %.3f)\n", cpu, report.search_seconds,
         report.apply_seconds, report.rebuild_seconds);
  printf("  peak      %12.1f MB  (%.1f bytes per e-node; the graph's own count: %.1f MB)\n", megabytes,
         megabytes * 1e6 / nodes, (double)egraph_memory_peak(graph) / 1e6);
  printf("  rate      %12.2f million e-nodes per second\n", nodes / cpu / 1e6);
}

#endif

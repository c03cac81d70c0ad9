/* Binders without names: rules for substitution in the lambda-upsilon calculus (Lescanne, POPL 1994).
 *
 * A bound variable is the number of binders between it and its own, in unary: `here`, `(there here)`, ..., so
 * that terms equal up to renaming are the same e-node, and share. A substitution is a term too: `(slash a)`
 * replaces `here` by a and lowers the others, `up` raises all, `(lift s)` is s under one more binder. `(close
 * b s)` is b with s applied. All of it is first-order rewriting with static rules: matches stay local, equal
 * closures are shared by congruence, and explanations check like any other. */
#include "internal.h"

#include <stdlib.h>

static const char *const FIXED = "close-here-slash: (close here (slash ?a)) => ?a\n"
                                 "close-there-slash: (close (there ?n) (slash ?a)) => ?n\n"
                                 "close-here-lift: (close here (lift ?s)) => here\n"
                                 "close-there-lift: (close (there ?n) (lift ?s)) => (close (close ?n ?s) up)\n"
                                 "close-here-up: (close here up) => (there here)\n"
                                 "close-there-up: (close (there ?n) up) => (there (there ?n))\n";

typedef struct {
  char *text;
  size_t used, capacity;
  bool failed;
} Text;

static void put(Text *text, const char *piece, size_t length) {
  if (text->used + length + 1 > text->capacity) {
    size_t capacity = text->capacity * 2 + length + 256;
    char *more = realloc(text->text, capacity);
    if (!more) {
      text->failed = true;
      return;
    }
    text->text = more;
    text->capacity = capacity;
  }
  memcpy(text->text + text->used, piece, length);
  text->text[text->used += length] = 0;
}
static void put_text(Text *text, const char *piece) { put(text, piece, strlen(piece)); }

/* close-NAME: (close (NAME ?0 ?1) ?s) => (NAME (close ?0 ?s) (close ?1 (lift ?s))) */
static void operator_rule(Text *text, const char *name, size_t length, unsigned arity, bool binds) {
  char piece[64];
  put_text(text, "close-");
  put(text, name, length);
  snprintf(piece, sizeof piece, "-%u: (close ", arity);
  put_text(text, piece);
  put_text(text, arity ? "(" : "");
  put(text, name, length);
  for (unsigned i = 0; i < arity; i++) {
    snprintf(piece, sizeof piece, " ?%u", i);
    put_text(text, piece);
  }
  put_text(text, arity ? ") ?s) => (" : " ?s) => ");
  put(text, name, length);
  for (unsigned i = 0; i < arity; i++) {
    snprintf(piece, sizeof piece, binds && i + 1 == arity ? " (close ?%u (lift ?s))" : " (close ?%u ?s)", i);
    put_text(text, piece);
  }
  put_text(text, arity ? ")\n" : "\n");
}

EGraphStatus egraph_binder_rules(char **out, const char *signature, EGraphDiagnostic *diagnostic) {
  Text text = {0};
  *out = NULL;
  put_text(&text, FIXED);
  for (const char *at = signature; *(at += strspn(at, " \t\r\n,"));) {
    size_t length = strcspn(at, " \t\r\n,"), name = length;
    while (name > 0 && at[name] != '/') name--;
    char *end = NULL;
    unsigned long arity = name && name < 40 ? strtoul(at + name + 1, &end, 10) : 0;
    bool binds = end && *end == '!';
    if (!end || end == at + name + 1 || end + binds != at + length || arity > 64 || (binds && arity == 0)) {
      if (diagnostic) {
        *diagnostic = (EGraphDiagnostic){.line = 1, .column = (unsigned)(at - signature) + 1, .code = "syntax"};
        snprintf(diagnostic->text, sizeof diagnostic->text, "expected name/arity or name/arity!, not %.*s",
                 (int)(length < 60 ? length : 60), at);
      }
      free(text.text);
      return EGRAPH_BAD_INPUT;
    }
    operator_rule(&text, at, name, (unsigned)arity, binds);
    at += length;
  }
  if (text.failed) {
    free(text.text);
    return EGRAPH_MEMORY_LIMIT;
  }
  *out = text.text;
  return EGRAPH_OK;
}

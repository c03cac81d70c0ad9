/* The LaTeX that formulas are written in, as MathML.
 *
 * The LaTeX is our own (tensor/latex.c, emit/latex.c): groups, scripts, fractions, roots, fences with \left and \right,
 * named operators, and tables by \begin{cases} or \begin{aligned}. A command that is not in the table is shown by its
 * name, so that nothing is lost. One pass, by recursive descent:
 *
 *   row    = { atom [ _ group ] [ ^ group ] }
 *   group  = { row } | atom */
#include "report/mathml.h"

#include <string.h>

#include "report/markup.h"

typedef struct Math {
  const char *at;
  Text *out;
  Arena *arena;
  uint32_t depth;
} Math;

enum { MOST_DEPTH = 200 };

typedef struct Symbol {
  const char *command, *text;
  char kind; /* 'o' an operator, 'i' a name, ' ' space */
} MathSymbol;

static const MathSymbol SYMBOLS[] = {
    {"cdot", "&#xB7;", 'o'},
    {"times", "&#xD7;", 'o'},
    {"le", "&#x2264;", 'o'},
    {"ge", "&#x2265;", 'o'},
    {"ne", "&#x2260;", 'o'},
    {"lt", "&lt;", 'o'},
    {"gt", "&gt;", 'o'},
    {"lfloor", "&#x230A;", 'o'},
    {"rfloor", "&#x230B;", 'o'},
    {"lceil", "&#x2308;", 'o'},
    {"rceil", "&#x2309;", 'o'},
    {"infty", "&#x221E;", 'i'},
    {"wedge", "&#x2227;", 'o'},
    {"vee", "&#x2228;", 'o'},
    {"land", "&#x2227;", 'o'},
    {"lor", "&#x2228;", 'o'},
    {"neg", "&#xAC;", 'o'},
    {"lnot", "&#xAC;", 'o'},
    {"oplus", "&#x2295;", 'o'},
    {"bigoplus", "&#x2A01;", 'o'},
    {"bigwedge", "&#x22C0;", 'o'},
    {"bigvee", "&#x22C1;", 'o'},
    {"sum", "&#x2211;", 'o'},
    {"prod", "&#x220F;", 'o'},
    {"to", "&#x2192;", 'o'},
    {"dots", "&#x2026;", 'o'},
    {"top", "&#x22A4;", 'i'},
    {"bot", "&#x22A5;", 'i'},
    {"pi", "&#x3C0;", 'i'},
    {"bmod", "mod", 'o'},
    {"quad", "1em", ' '},
    {",", "0.17em", ' '},
    {";", "0.28em", ' '},
    {":", "0.22em", ' '},
    {"!", "0em", ' '},
    {" ", "0.25em", ' '},
};

static void skip_blanks(Math *m) {
  while (*m->at == ' ') m->at++;
}

static bool eat(Math *m, const char *word) {
  size_t n = strlen(word);
  if (strncmp(m->at, word, n)) return false;
  m->at += n;
  return true;
}

static void row_until(Math *m, const char *end);

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static void token(Math *m, const char *tag, const char *text, size_t size) {
  text_format(m->out, "<%s>", tag);
  markup_text(m->out, text, size);
  text_format(m->out, "</%s>", tag);
}

/* {text} as it stands, but for escaped characters. */
static void braced_text(Math *m, const char *tag) {
  Text text = text_new(m->arena);
  if (eat(m, "{"))
    for (uint32_t open = 1; *m->at; m->at++) {
      if (*m->at == '{') open++;
      if (*m->at == '}' && !--open) {
        m->at++;
        break;
      }
      if (*m->at == '\\' && m->at[1] && !is_letter(m->at[1])) m->at++;
      text_char(&text, *m->at);
    }
  token(m, tag, text_string(&text), text.count);
}

static void group(Math *m);

static void tagged_groups(Math *m, const char *tag, uint32_t count) {
  text_format(m->out, "<%s>", tag);
  for (uint32_t i = 0; i < count; i++) group(m);
  text_format(m->out, "</%s>", tag);
}

/* \left( .. \right): the fence stretches. */
static void fence(Math *m) {
  skip_blanks(m);
  if (eat(m, ".")) return;
  const char *begin = m->at;
  if (*m->at == '\\') {
    m->at++;
    while (is_letter(*m->at)) m->at++;
    if (m->at == begin + 1 && *m->at) m->at++;
    for (size_t i = 0; i < sizeof SYMBOLS / sizeof *SYMBOLS; i++)
      if (strlen(SYMBOLS[i].command) == (size_t)(m->at - begin - 1) &&
          !strncmp(SYMBOLS[i].command, begin + 1, (size_t)(m->at - begin - 1))) {
        text_format(m->out, "<mo>%s</mo>", SYMBOLS[i].text);
        return;
      }
    token(m, "mo", begin + 1, (size_t)(m->at - begin - 1)); /* \{ */
    return;
  }
  if (*m->at) m->at++;
  token(m, "mo", begin, (size_t)(m->at - begin));
}

static void fenced(Math *m) {
  text_add(m->out, "<mrow>");
  fence(m);
  row_until(m, "\\right");
  fence(m);
  text_add(m->out, "</mrow>");
}

/* \begin{cases} a & b \\ c & d \end{cases} */
static void table(Math *m) {
  const char *name = m->at;
  bool is_cases = !strncmp(name, "{cases}", 7);
  while (*m->at && *m->at++ != '}') {
  }
  if (is_cases) text_add(m->out, "<mo>{</mo>");
  text_add(m->out, "<mtable columnalign=\"left\">");
  while (*m->at) {
    text_add(m->out, "<mtr>");
    for (bool more = true; more;) {
      text_add(m->out, "<mtd>");
      row_until(m, "&\\\\\\end");
      text_add(m->out, "</mtd>");
      more = eat(m, "&");
    }
    text_add(m->out, "</mtr>");
    if (!eat(m, "\\\\")) break;
  }
  if (eat(m, "\\end"))
    while (*m->at && *m->at++ != '}') {
    }
  text_add(m->out, "</mtable>");
}

static void command(Math *m) {
  const char *name = ++m->at;
  while (is_letter(*m->at)) m->at++;
  if (m->at == name && *m->at) m->at++; /* \, \{ \_ */
  size_t size = (size_t)(m->at - name);
#define IS(word) (size == sizeof word - 1 && !strncmp(name, word, size))
  if (IS("operatorname") || IS("mathrm")) {
    braced_text(m, "mi");
  } else if (IS("text")) {
    braced_text(m, "mtext");
  } else if (IS("mathrel") || IS("mathbin")) {
    group(m);
  } else if (IS("frac")) {
    tagged_groups(m, "mfrac", 2);
  } else if (IS("sqrt")) {
    tagged_groups(m, "msqrt", 1);
  } else if (IS("left")) {
    fenced(m);
  } else if (IS("begin")) {
    table(m);
  } else {
    for (size_t i = 0; i < sizeof SYMBOLS / sizeof *SYMBOLS; i++)
      if (strlen(SYMBOLS[i].command) == size && !strncmp(SYMBOLS[i].command, name, size)) {
        if (SYMBOLS[i].kind == ' ')
          text_format(m->out, "<mspace width=\"%s\"></mspace>", SYMBOLS[i].text);
        else
          text_format(m->out, "<m%c>%s</m%c>", SYMBOLS[i].kind, SYMBOLS[i].text, SYMBOLS[i].kind);
        return;
      }
    token(m, is_letter(*name) ? "mi" : "mo", name, size);
  }
#undef IS
}

static void atom(Math *m) {
  if (*m->at == '{') {
    group(m);
  } else if (*m->at == '\\') {
    command(m);
  } else {
    const char *begin = m->at;
    if (*begin >= '0' && *begin <= '9') {
      while ((*m->at >= '0' && *m->at <= '9') || *m->at == '.') m->at++;
      token(m, "mn", begin, (size_t)(m->at - begin));
    } else {
      do m->at++;
      while (((unsigned char)*m->at & 0xC0) == 0x80); /* the rest of one character */
      token(m, is_letter(*begin) ? "mi" : "mo", begin, (size_t)(m->at - begin));
    }
  }
}

static void group(Math *m) {
  skip_blanks(m);
  if (m->depth > MOST_DEPTH || !*m->at) return;
  m->depth++;
  text_add(m->out, "<mrow>");
  if (eat(m, "{")) {
    row_until(m, "}");
    eat(m, "}");
  } else
    atom(m);
  text_add(m->out, "</mrow>");
  m->depth--;
}

/* True if one of the ends is here: '}', "\right", or of a table '&', "\\" and "\end". */
static bool is_end(const Math *m, const char *end) {
  if (!*m->at) return true;
  if (*end == '}') return *m->at == '}';
  if (*end == '&') return *m->at == '&' || !strncmp(m->at, "\\\\", 2) || !strncmp(m->at, "\\end", 4);
  return *end && !strncmp(m->at, end, strlen(end));
}

static void row_until(Math *m, const char *end) {
  text_add(m->out, "<mrow>");
  m->depth++;
  for (skip_blanks(m); !is_end(m, end) && m->depth < MOST_DEPTH; skip_blanks(m)) {
    Text base = text_new(m->arena), *out = m->out;
    m->out = &base;
    atom(m);
    skip_blanks(m);
    m->out = out;
    bool low = eat(m, "_");
    const char *tag = low ? "msub" : "mrow";
    Text scripts = text_new(m->arena);
    m->out = &scripts;
    if (low) group(m);
    skip_blanks(m);
    bool high = eat(m, "^");
    if (high) group(m);
    m->out = out;
    if (high) tag = low ? "msubsup" : "msup";
    text_format(out, "<%s>%s%s</%s>", tag, text_string(&base), text_string(&scripts), tag);
  }
  m->depth--;
  if (!strcmp(end, "\\right")) eat(m, "\\right");
  text_add(m->out, "</mrow>");
}

void mathml_of_latex(Arena *arena, const char *latex, Text *out) {
  Math m = {.at = latex, .out = out, .arena = arena};
  text_add(out, "<math display=\"block\">");
  while (*m.at) {
    const char *before = m.at;
    row_until(&m, "");
    if (m.at == before) break;
  }
  text_add(out, "</math>");
}

/* Small functions of Python's own numbers, which frameworks share, and which of all helpers a module needs: those that
 * its text, or the text of one that it needs, calls by name. */
#include <ctype.h>
#include <string.h>

#include "emit/python.h"

const char helper_wrap[] = "def _wrap(x, bits):\n"
                           "    \"\"\"x as a signed number of so many bits.\"\"\"\n"
                           "    half = 1 << bits - 1\n"
                           "    return (x + half & 2 * half - 1) - half\n";
const char helper_divide[] = "def _divide(x, y):\n"
                             "    \"\"\"x / y of numbers, also where y is 0.\"\"\"\n"
                             "    return x / y if y else x * float(\"inf\")\n";
const char helper_sqrt[] = "def _sqrt(x):\n"
                           "    \"\"\"The root of a number, nan where it is negative.\"\"\"\n"
                           "    return x ** 0.5 if x >= 0 else float(\"nan\")\n";
const char helper_power[] =
    "def _power(x, exponent):\n"
    "    \"\"\"A power of a number: infinite where it is too large, nan where it is none.\"\"\"\n"
    "    try:\n"
    "        value = float(x) ** exponent\n"
    "    except OverflowError:\n"
    "        return float(\"inf\") if x > 0 or exponent % 2 == 0 else -float(\"inf\")\n"
    "    return float(\"nan\") if isinstance(value, complex) else value\n";

static bool is_letter(char c) { return isalnum((unsigned char)c) || c == '_'; }

bool python_mentions(const char *text, const char *word, size_t length) {
  for (const char *at = text; (at = strstr(at, word)); at++) {
    bool begins = at == text || (!is_letter(at[-1]) && at[-1] != '.');
    if (begins && !is_letter(at[length]) && at[length] != '=') return true;
  }
  return false;
}

static const char *helper_name(const Python *py, const char *definition) {
  const char *name = definition + strlen("def ");
  return arena_format(py->arena, "%.*s", (int)strcspn(name, "("), name);
}

static bool is_needed(const Python *py, uint32_t which, const char *module) {
  const char *const *helpers = py->framework->helpers, *name = helper_name(py, helpers[which]);
  if (python_mentions(module, name, strlen(name))) return true;
  for (uint32_t i = 0; helpers[i]; i++)
    if (i != which && python_mentions(helpers[i], name, strlen(name)) && is_needed(py, i, module)) return true;
  return false;
}

void python_helpers(const Python *py, Text *out) {
  const char *module = arena_format(py->arena, "%s", text_string(out));
  for (uint32_t i = 0; py->framework->helpers[i]; i++)
    if (is_needed(py, i, module)) text_format(out, "\n\n%s", py->framework->helpers[i]);
}

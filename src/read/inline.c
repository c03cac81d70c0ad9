/* tt.call: calls are kept for now. */
#include "read/parser.h"

bool inline_calls(Parser *r) { return r != NULL; }

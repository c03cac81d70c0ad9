/* From the syntax of Python to a program of loops; between the files of the reader.
 *
 * lower.c      functions, statements
 * scope.c      what names stand for, and what a branch makes of them; facts
 * loops.c      `for`, `while`, comprehensions: what they run over, and what they carry
 * value.c      numbers and operators
 * array.c      lists and arrays: parts, elements, lengths, copies
 * whole.c      operations on whole arrays
 * calls.c      built-in functions, those of math and NumPy, and methods
 *
 * A name stands for a number (a value, which assignments replace), or for a list or array, which is an object with a
 * slot: several names may stand for one slot, or for a part of it. A parameter is memory; an object of the function's
 * own is a value (its elements, its lengths) that branches and loops hand on.
 *
 * Nothing is declared in Python, so a function is lowered again and again: what is learnt on the way (an element is
 * real, a list has rows, a loop hands on this name) is a fact that stays, and begins the next attempt. Facts only
 * grow, and there are finitely many. */
#ifndef ASSAY_READ_PYTHON_LOWER_H
#define ASSAY_READ_PYTHON_LOWER_H

#include <setjmp.h>

#include "program/build_array.h"
#include "read/python/python.h"
#include "read/options.h"

enum { PY_MAX_RANK = 6, PY_MOST_NESTING = 200 };

typedef enum NumberType { NUMBER_BOOL, NUMBER_INT, NUMBER_REAL } NumberType; /* each holds those before it */

typedef struct Axis {
  bool is_fixed;  /* at that index; else the indices at, at + step, .. */
  ValueId at;     /* 0: from the beginning */
  ValueId length; /* 0: to the end, in steps of 1 */
  int64_t step;
} Axis;

/* A list or array, or a part of one. */
typedef struct View {
  uint32_t slot, count; /* count: of the slot's axes */
  bool is_snapshot;     /* a slice of a list, which is a copy: nothing writes to what it shows */
  Axis axis[PY_MAX_RANK];
} View;

typedef struct Frame Frame;

typedef enum PyValueKind {
  PYV_UNBOUND, /* no value was given yet */
  PYV_PENDING, /* what `node`, a loop or branch, makes of it; not built unless it is asked for */
  PYV_OTHER,   /* not to be used: `text` says why */
  PYV_NONE,
  PYV_NUMBER,   /* type, id */
  PYV_ARRAY,    /* view */
  PYV_TUPLE,    /* items */
  PYV_FUNCTION, /* node: its DEF; frame: the one around it, NULL: the file */
  PYV_NAME,     /* text: "range", "numpy.zeros"; or a method: ".append" of items[0] */
  PYV_TEXT,     /* a string */
} PyValueKind;

typedef struct PyValue {
  PyValueKind kind;
  NumberType type;
  ValueId id;
  const PyNode *param; /* NUMBER: it is that parameter, or an element of it: an array, if it is used like one */
  View view;
  struct PyValue *items;
  uint32_t count;
  const PyNode *node;
  Frame *frame;
  const char *text;
} PyValue;

typedef struct Binding {
  Name name;
  PyValue value;
} Binding;

/* A function that is executed, or a comprehension. */
struct Frame {
  const PyNode *def;
  Frame *around;      /* where its free names are looked up */
  Frame *caller;      /* where the arguments of `call` are evaluated; NULL: it is the function that is lifted */
  const PyNode *call; /* NULL: a comprehension */
  Array(Binding) names;
};

typedef enum SlotKind { SLOT_MEMORY, SLOT_ELEMENTS } SlotKind;

typedef struct Slot {
  SlotKind kind;
  bool is_list; /* known to be one; else an array, or a parameter that may be either */
  bool is_even; /* its lengths are numbers; else length[k] is an array of rank k */
  bool is_numpy;
  bool is_filled;        /* each of its elements is written */
  bool is_merged;        /* it holds what one of two others held: their names may still be in use */
  const PyNode *made_by; /* its facts are under it: PARAM, or an expression */
  uint32_t rank;
  NumberType element;
  uint32_t width; /* of integers that wrap when they are written, which are not read then; 0: they do not */
  bool is_unsigned;
  ValueId value; /* elements, or the address */
  ValueId length[PY_MAX_RANK];
  uint32_t loop;                                    /* the innermost loop around its making */
  const PyNode *given;                              /* where it became a part of another one */
  const PyNode *shares;                             /* its rows are one row */
  const PyNode *written, *row_written, *read_since; /* places, or NULL */
} Slot;

/* Two slots that stand for one object: what is written to one would be seen in the other. */
typedef struct Share {
  uint32_t from, to;
  const PyNode *at;
} Share;

typedef enum FactKind {
  FACT_NEEDED,  /* a name behind a loop or branch is asked for */
  FACT_TYPE,    /* of a name that a loop carries: a NumberType */
  FACT_SLOT,    /* a loop carries the contents made by `of` */
  FACT_RANK,    /* of a parameter, or a list */
  FACT_ELEMENT, /* of a list: a NumberType */
  FACT_INTEGER, /* a parameter is one, or its elements are */
  FACT_NUMPY,   /* a parameter is an array */
  FACT_WRITTEN, /* a parameter is written to */
  FACT_RESULT,  /* what is returned: of result `value` */
} FactKind;

typedef struct Fact {
  FactKind kind;
  const PyNode *node;
  const void *of;
  uint32_t value;
} Fact;

typedef struct Lower {
  Arena *arena;
  Program *p;
  Builder b;
  Source *source;
  DiagnosticList *diagnostics;
  const PyNode *file, *function;
  PyUses uses; /* of names, in the whole file */
  const ReadOptions *options;
  Array(PyValue) opaque; /* functions that --opaque names and that are called */
  Frame *frame;
  Array(Frame *) frames; /* those that are being executed */
  Array(Slot) slots;     /* from 1 */
  Array(Share) shares;
  Array(Fact) facts;
  Array(const PyNode *) wanted;              /* on the way, while integers are asked for */
  uint32_t loop, loop_count, depth, nesting; /* loop: the innermost one; depth: of calls */
  const char *going;                         /* the name of the flag that a `break` puts out */
  bool in_while;                             /* the condition of one is built */
  jmp_buf refused, again;
} Lower;

/* Refuses the function at that place. */
_Noreturn void py_refuse(Lower *l, const PyNode *at, const char *help, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void py_at(Lower *l, const PyNode *node); /* the place of the ops that follow */
/* Its text in the source, on one line. */
const char *py_text(Lower *l, const PyNode *node);
void py_require(Lower *l, const PyNode *at, ValueId condition, const char *message);

/* ---- scope.c ---- */
uint32_t py_fact(const Lower *l, FactKind kind, const PyNode *node, const void *of);
/* At least that; if it was less, the function is lowered again. */
void py_learn(Lower *l, FactKind kind, const PyNode *node, const void *of, uint32_t value);
/* Just that; the function is lowered again. */
/* For the next attempt, which py_set_fact begins. */
void py_note_fact(Lower *l, FactKind kind, const PyNode *node, const void *of, uint32_t value);
_Noreturn void py_set_fact(Lower *l, FactKind kind, const PyNode *node, const void *of, uint32_t value);
const void *py_key(const Lower *l, const char *name); /* of facts about a name */
extern const char py_returned[];                      /* no name of Python's: what the function returns */
extern const char py_has_returned[];                  /* likewise: whether a loop of it has returned */
/* NULL: the frame has no such name. */
PyValue *py_own_binding(Lower *l, const Frame *frame, const char *name);
PyValue *py_result(Lower *l, const Frame *frame); /* what it returns, likewise */
void py_bind_in(Lower *l, Frame *frame, const char *name, PyValue value);
PyValue py_number(NumberType type, ValueId id);
PyValue py_name(const char *text);
PyValue py_read_name(Lower *l, const PyNode *node);
/* For those of other scopes than the running one. */
PyValue py_find(Lower *l, Frame *frame, const PyNode *at, const char *name);
void py_bind(Lower *l, const char *name, PyValue value);
void py_assign(Lower *l, const PyNode *target, PyValue value);
/* The names that the statements below may bind; in_place: those of `x += y` too, which may change an array instead. */
typedef Array(const char *) NameTexts;
void py_assigned(Arena *arena, const PyNode *node, bool in_place, NameTexts *out);
/* Computes one of two, by the condition; `arm` builds each, and what is different behind them becomes one. */
PyValue py_branch(Lower *l, const PyNode *node, ValueId condition,
                  PyValue (*arm)(Lower *l, bool yes, const void *payload), const void *payload);

/* ---- lower.c ---- */
void py_block(Lower *l, const PyNode *block);
void py_statements(Lower *l, const PyNode *const *list, uint32_t count);
const PyNode *py_else_of(const PyNode *loop);      /* a block, or NULL */
bool py_contains(const PyNode *node, PyKind kind); /* outside of functions in it */
/* As it is defined here, with the values of its defaults. */
PyValue py_function(Lower *l, const PyNode *def);
PyValue py_inline(Lower *l, const PyNode *call, const PyValue *function);

/* ---- loops.c ---- */
void py_for(Lower *l, const PyNode *node);
void py_break(Lower *l);
bool py_returns_in_loop(const PyNode *node);
/* The flag that says that nothing has left the loop, which is lowered; NULL: nothing can. */
const char *py_going_of(Lower *l, const PyNode *loop);
void py_while(Lower *l, const PyNode *node);
/* A loop that begins with its only exit, `if q: break` or `if q: return`, and the statements behind it: what it looks
 * for is its own condition. false: it is none, and nothing was done. */
bool py_search(Lower *l, const PyNode *node, const PyNode *const *rest, uint32_t count);
/* body is run for each; it may bind names of the running frame (those below `scope`) and change slots. */
void py_each(Lower *l, const PyNode *node, const PyNode *scope, const PyNode *iterable,
             void (*body)(Lower *l, PyValue item, const void *payload), const void *payload);
/* A number that begins as `start` and is carried through the elements of a comprehension. */
PyValue py_accumulate(Lower *l, const PyNode *call, const PyNode *comprehension, PyValue start,
                      PyValue (*step)(Lower *l, const PyNode *at, PyValue total, PyValue item));
/* The list of a comprehension. */
PyValue py_comprehension(Lower *l, const PyNode *node);

/* ---- value.c ---- */
PyValue py_value(Lower *l, const PyNode *node);
ValueId py_condition(Lower *l, const PyNode *node);
ValueId py_truth(Lower *l, const PyNode *at, const PyValue *value);
PyValue py_to_number(Lower *l, const PyNode *at, PyValue value);
ValueId py_convert(Lower *l, const PyValue *value, NumberType to);
/* An integer; parameters that it is made of become integers for it. */
ValueId py_index(Lower *l, const PyNode *node);
ValueId py_to_index(Lower *l, const PyNode *node, PyValue value);
void py_want_integers(Lower *l, const PyNode *node);
PyValue py_binary(Lower *l, const PyNode *at, const char *op, PyValue a, PyValue b);
PyValue py_compare(Lower *l, const PyNode *at, const char *op, PyValue a, PyValue b);
ValueId py_integer(Lower *l, int64_t value);
bool py_is_constant(const Lower *l, ValueId value, int64_t *out);
TypeId py_type(Lower *l, NumberType type);
TypeId py_wide(Lower *l);
/* An op on integers, whose result is whatever it is. */
ValueId py_exact(Lower *l, Opcode code, ValueId a, ValueId b);
PyValue py_minimum(Lower *l, PyValue a, PyValue b, bool most);

/* ---- array.c ---- */
uint32_t py_slot_new(Lower *l, const PyNode *made_by, SlotKind kind, uint32_t rank, NumberType element);
PyValue py_whole(const Lower *l, uint32_t slot);
uint32_t py_rank(const View *view);
/* As a list or array: a parameter that was none yet becomes one. */
View py_array(Lower *l, const PyNode *at, PyValue value);
/* The length along its first axis. */
ValueId py_length(Lower *l, const PyNode *at, const View *view);
ValueId py_length_of(Lower *l, const PyNode *at, const View *view, uint32_t axis);
/* The element, or part, at an index that is within its length. */
PyValue py_item(Lower *l, const PyNode *at, const View *view, ValueId index);
void py_want_numpy(Lower *l, const PyNode *at, const View *view);
/* A parameter behind it has at least that many axes. */
void py_want_rank(Lower *l, const PyNode *at, const View *view, uint32_t left);
/* Rows of a copy are those of what is copied. */
PyValue py_shallow_copy(Lower *l, const PyNode *at, const View *view);
PyValue py_subscript(Lower *l, const PyNode *node);
/* The same where it is summed or multiplied in place: an element that wraps is what the result is, but for the wrap. */
PyValue py_old_element(Lower *l, const PyNode *node);
void py_store(Lower *l, const PyNode *target, PyValue value);
void py_append(Lower *l, const PyNode *at, const View *view, PyValue value);
/* A slot of its own with the same elements, as numbers of that type. */
uint32_t py_copy(Lower *l, const PyNode *at, const View *view, NumberType element);
void py_read_of(Lower *l, const PyNode *at, const View *view); /* its contents are read here */
PyValue py_list(Lower *l, const PyNode *node);
PyValue py_list_of(Lower *l, const PyNode *at, const PyValue *items, uint32_t count);
/* A list that is there n times, one behind the other. */
PyValue py_repeat(Lower *l, const PyNode *at, const View *view, ValueId times);
/* An integer as one of that width; width 0: as it is. It wraps: NumPy wraps it too, or ends with an error. */
ValueId py_narrowed(Lower *l, uint32_t width, bool is_unsigned, ValueId value);
/* An array of that shape, each element `value`; 0: none was written. */
PyValue py_filled(Lower *l, const PyNode *at, uint32_t rank, const ValueId *shape, NumberType type, ValueId value);
void py_make_uneven(Lower *l, Slot *s);
/* Stores it to memory, row by row. */
void py_store_all(Lower *l, const PyNode *at, const View *view, ValueId pointer);

/* The part at that index of the n-th axis that is left. */
View py_fix(Lower *l, View view, uint32_t n, ValueId index);
/* Writes a number, or the elements of an array, to each element of the part, which is one of an array. */
void py_store_part(Lower *l, const PyNode *at, const View *to, PyValue value);

/* ---- whole.c ---- */
enum { PY_MOST_OPERANDS = 3 };
typedef PyValue (*PyItem)(Lower *l, const PyNode *at, const ValueId *index, const void *payload);
typedef PyValue (*PyElement)(Lower *l, const PyNode *at, const PyValue *items, const void *payload);
typedef PyValue (*PyOfView)(Lower *l, const PyNode *at, const View *view, const void *payload);
/* An array of that shape, of the number at each index; of no axes: that number. */
PyValue py_make(Lower *l, const PyNode *at, uint32_t rank, const ValueId *length, PyItem item, const void *payload);
bool py_any_array(uint32_t count, const PyValue *args);
/* Of numbers and arrays, element by element. */
PyValue py_elementwise(Lower *l, const PyNode *at, uint32_t count, const PyValue *args, PyElement element,
                       const void *payload);
/* Of each row along that axis, a number. */
PyValue py_along(Lower *l, const PyNode *at, const View *view, int64_t axis, PyOfView of, const void *payload);
/* a @ b, of vectors and matrices. */
PyValue py_product(Lower *l, const PyNode *at, const View *a, const View *b);

/* ---- calls.c ---- */
PyValue py_call(Lower *l, const PyNode *node);
PyValue py_attribute(Lower *l, const PyNode *node);

#endif

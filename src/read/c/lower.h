/* From the tree of a C or C++ file to a program; between the files of the reader.
 *
 * records.c     structs, which it replaces by their fields before all else
 * rows.c        pointers to pointers, as arrays of rows
 * lower.c       functions, statements, scopes
 * loops.c       `for`, `while`: what they carry, how often they run
 * expression.c  values, conversions, operators, calls
 * place.c       what can be assigned: variables, elements of vectors and arrays, memory behind pointers
 *
 * Every variable is a value that assignments replace; `if` and loops hand on those that are assigned inside. A vector
 * or array of the function's own is a value as well: its elements (a value of an array type, program.h), and its
 * lengths. Parameters that point to memory are addresses, and are loaded from and stored to. */
#ifndef ASSAY_READ_C_LOWER_H
#define ASSAY_READ_C_LOWER_H

#include <setjmp.h>

#include "program/build.h"
#include "read/c/tree.h"

enum { C_MAX_RANK = 6, C_MAX_INDICES = C_MAX_RANK };

#define NO_VARIABLE UINT32_MAX

typedef enum VariableKind {
  VARIABLE_SCALAR,   /* `value`: a number or a pointer; 0: not set yet */
  VARIABLE_MEMORY,   /* a vector or array parameter, or a global: `value` its address, `length` by axis, the same in
                        all rows; 0: of the first axis, not known */
  VARIABLE_ELEMENTS, /* a vector or array of the function's own: `value` its elements, `length[k]` an array of rank k */
  VARIABLE_ITERATOR, /* a pointer into a vector, or into an array of the function's own: `alias` the array, `value`
                        the index; alias.type NULL: it points nowhere yet */
  VARIABLE_ALIAS,    /* a reference, or a pointer to what is no memory: `alias` */
} VariableKind;

typedef struct Place {
  enum { PLACE_VARIABLE, PLACE_ELEMENT, PLACE_ADDRESS } kind;
  uint32_t variable;                                   /* of VARIABLE and ELEMENT */
  uint32_t count;                                      /* of indices; fewer than the rank: a row */
  ValueId index[C_MAX_INDICES], extent[C_MAX_INDICES]; /* extent: of the rows of an ADDRESS */
  ValueId address;                                     /* of ADDRESS */
  const CType *type;
} Place;

typedef struct Variable {
  VariableKind kind;
  const CNode *declaration;
  const char *name;
  const CType *type, *element; /* element: of a vector, the innermost one */
  uint32_t rank;
  ValueId value, wide; /* wide: a counter, as a 64-bit number; 0: none */
  ValueId length[C_MAX_RANK];
  Place alias;
  uint32_t freed;  /* of memory that is allocated: 1 + the flag that says that it was freed; 0: of others */
  bool is_fixed;   /* an array: its length does not change */
  bool is_pointer; /* an alias: a pointer to the place, or to its first element */
} Variable;

/* The length of a variable-length array, as it was where that was declared. */
typedef struct Extent {
  const CNode *node;
  ValueId value;
} Extent;

typedef struct Lower {
  Arena *arena;
  Program *p;
  Builder b;
  Source *source;
  DiagnosticList *diagnostics;
  const CTree *tree;
  const CNode *function;
  Array(Variable) variables; /* those in scope */
  Array(Extent) extents;
  Array(AttrId) relied;          /* what the function relies on: program.h, assay.relies */
  bool reads_behind;             /* as of Program */
  Array(const CNode *) opaque;   /* functions that are called and have no body here */
  uint32_t result, result_count; /* the variables of what is returned: one, or one for each field; none */
  uint32_t going;     /* the variable that says that no `break` ended the innermost loop; NO_VARIABLE: none can */
  uint32_t returned;  /* that says that a loop has returned; NO_VARIABLE: none does */
  uint32_t depth;     /* of calls that are inlined */
  BlockId call_block; /* in which the function that is read begins */
  const CNode *top;   /* the function that is lowered */
  uint32_t searched;  /* depth of calls in which assignments are looked for */
  jmp_buf refused;
} Lower;

/* Refuses the function at that place. */
_Noreturn void c_refuse(Lower *l, const CNode *at, const char *help, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Refuses the body if an expression changes what another part of it reads or changes in no order: order.c. */
void c_check_order(Lower *l, const CNode *body);

/* ---- types ---- */
TypeId c_type(Lower *l, const CNode *at, const CType *type);
TypeId c_index_type(Lower *l);

/* ---- expression.c ---- */
ValueId c_value(Lower *l, const CNode *node);
void c_effect(Lower *l, const CNode *node);
ValueId c_condition(Lower *l, const CNode *node);
/* false where that does not hold; there the condition is not computed. */
ValueId c_condition_where(Lower *l, const CNode *at, ValueId holds, const CNode *condition);
/* As a 64-bit number. */
ValueId c_index(Lower *l, const CNode *node);
/* True if each number of one integer type is the same number in the other. */
bool c_keeps_numbers(const CType *from, const CType *to);
ValueId c_convert(Lower *l, const CNode *at, ValueId value, const CType *from, const CType *to);
ValueId c_arithmetic(Lower *l, const CNode *at, CBinary op, ValueId a, ValueId b, const CType *type);
/* An op on signed numbers whose exact result is taken to fit. */
ValueId c_fitting(Lower *l, Opcode code, ValueId a, ValueId b, TypeId type);
/* True if it is computed by taking away, so that a number without sign may be a large one: n - 3. */
bool c_may_be_negative(const Lower *l, ValueId value);
bool c_is_number(const CType *type);
bool c_has_effect(const CNode *node);
/* Declared by a header of ours: stderr, exit. */
bool c_is_library(const CNode *declaration);
/* True if exit or abort is the last that it calls. */
bool c_ends_program(const CNode *node);
/* A call of memset or memcpy, which assigns to what its first argument points to. */
bool c_fills_memory(const CNode *call);
/* The variable that a place or a pointer leads to, if that is known. */
const CNode *c_root_through(const Lower *l, const CNode *node);
/* A node at the same place. */
CNode *c_node(Lower *l, const CNode *at, CNodeKind kind, int op, const CType *type, uint32_t count, ...);
/* What a pointer is before it is converted to another one, such as void *. */
const CNode *c_without_cast(const CNode *node);

/* ---- place.c ---- */
Place c_place(Lower *l, const CNode *node);
/* A pointer expression that points into an array which is no plain memory. */
typedef struct Iterator {
  Place in;
  ValueId index;
} Iterator;
bool c_points_into(Lower *l, const CNode *node);
/* A row that was behind a pointer of its own (rows.c): nothing follows its last element. */
bool c_is_row(const CNode *node);
Iterator c_iterator(Lower *l, const CNode *node);
void c_set_iterator(Lower *l, const CNode *at, uint32_t variable, const Iterator *to);
/* The variable that an assignment to the expression changes, or NULL. */
const CNode *c_root(const CNode *node);
ValueId c_read(Lower *l, const CNode *at, const Place *place);
void c_write(Lower *l, const CNode *at, const Place *place, ValueId value);
/* The lengths in the type of a declaration, computed now; and the length of an array of such a type. */
void c_note_extents(Lower *l, const CType *type);
ValueId c_extent(Lower *l, const CNode *at, const CType *array);
/* The pointer, moved by a number of such elements, which may be rows. */
ValueId c_move(Lower *l, const CNode *at, ValueId pointer, ValueId by, const CType *element);
/* The length along the next axis. */
ValueId c_length(Lower *l, const CNode *at, const Place *place);
TypeId c_array_type(Lower *l, const CNode *at, const CType *element, uint32_t rank);
/* An empty vector. */
void c_make_empty(Lower *l, const CNode *at, Variable *v);
/* A vector or row as a value of its own. */
void c_copy(Lower *l, const CNode *at, const Place *from, Variable *to);
/* free: false where the memory is not of this function. */
bool c_free(Lower *l, const CNode *call);
bool c_vector_method(Lower *l, const CNode *node, ValueId *value);
void c_vector_initial(Lower *l, const CNode *initial, Variable *v);
void c_set_vector(Lower *l, const CNode *at, const Place *to, const CNode *value);
/* Of two vectors, or rows, the first two operands. */
void c_swap_vectors(Lower *l, const CNode *node);
void c_require(Lower *l, const CNode *at, ValueId condition, const char *message);
ValueId c_insert(Lower *l, ValueId element, ValueId array, uint32_t count, const ValueId *index);
ValueId c_extract(Lower *l, ValueId array, uint32_t count, const ValueId *index);

/* ---- lower.c ---- */
uint32_t c_find(Lower *l, const CNode *at, const CNode *declaration);
uint32_t c_declare(Lower *l, const CNode *declaration, VariableKind kind);
/* What the function relies on and no comparison says. */
void c_assume(Lower *l, const CNode *at, const char *text);
/* Its text in the source, on one line. */
const char *c_text(Lower *l, const CNode *node);
void c_statement(Lower *l, const CNode *node);
void c_list(Lower *l, CNode *const *list, uint32_t count);
/* A list that is done where the condition holds. */
void c_list_if(Lower *l, const CNode *at, ValueId condition, CNode *const *list, uint32_t count);
/* if: either arm may be NULL. */
void c_choose(Lower *l, const CNode *at, ValueId condition, CNode *yes, CNode *no);
/* True if a statement below may leave its loop: by break, by return. */
bool c_breaks(const CNode *node);
bool c_returns(const CNode *node);
void c_at(Lower *l, const CNode *node); /* the place of the ops that follow */
/* `resizes`: its length, or that of a row, may change too. */
typedef struct Assigned {
  uint32_t variable;
  bool resizes;
} Assigned;
typedef Array(Assigned) VariableList;
/* True if it is push_back, clear or another method that changes its object. */
bool c_changes_object(const CNode *method);
/* The variables in scope that are assigned below the node. */
void c_find_assigned(Lower *l, const CNode *node, VariableList *out);
/* What these variables are, as values one after another, for a region to take and to yield. */
uint32_t c_get_parts(Lower *l, const CNode *at, const VariableList *list, ValueId *out);
void c_set_parts(Lower *l, const VariableList *list, const ValueId *values);
uint32_t c_count_parts(Lower *l, const VariableList *list);
/* The variables in scope as they are now; and refuses what has changed others of them since than those of the list, so
 * that no loop takes what was there before it for what its iterations leave. */
typedef struct Snapshot {
  uint32_t count;
  const Variable *variables;
} Snapshot;
Snapshot c_snapshot(const Lower *l);
void c_refuse_changed(Lower *l, const CNode *at, const Snapshot *before, const VariableList *but);
/* Block arguments or results from `first` on are what these variables become. */
void c_name_parts(Lower *l, const VariableList *list, ValueId first);

/* The body of the function that is called, or NULL; and its value, the body being put in the place of the call. */
const CNode *c_body_of(const CNode *call);
ValueId c_inline(Lower *l, const CNode *call);
/* What a call returns, to the places of its fields. */
void c_unpack(Lower *l, const CNode *node);
Iterator c_inline_iterator(Lower *l, const CNode *call);
void c_inline_vector(Lower *l, const CNode *call, Variable *to);

/* ---- loops.c ---- */
void c_each(Lower *l, const CNode *node);
/* for (k = 0; k < 1; k++) is its body, done once. */
bool c_runs_once(const CNode *node);
void c_for(Lower *l, const CNode *node);
void c_while(Lower *l, const CNode *node);
void c_do(Lower *l, const CNode *node);
/* The flag of the memory that is freed; NO_VARIABLE: it is none that is allocated here. */
uint32_t c_freed(Lower *l, const CNode *pointer);
/* A variable of the lowering alone. */
uint32_t c_new_flag(Lower *l, const char *name, bool value);

#endif

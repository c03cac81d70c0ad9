/* What the files of src/reference/ share: values, calls, and how they complain. */
#ifndef ASSAY_REFERENCE_INTERNAL_H
#define ASSAY_REFERENCE_INTERNAL_H

#include "reference/reference.h"

typedef enum ValueKind {
  VALUE_NONE,
  VALUE_TENSOR, /* numbers and truth values are of rank 0 */
  VALUE_TUPLE,  /* lists too */
  VALUE_STRING,
  VALUE_NAME,     /* a module, a function of one, or a dtype: dotted text */
  VALUE_METHOD,   /* text of items[0] */
  VALUE_FUNCTION, /* def */
  VALUE_SLICE,    /* start, stop, step */
  VALUE_ELLIPSIS,
  VALUE_DICT,   /* key, value, ... */
  VALUE_UNREAD, /* of a name, or a default: text says why */
} ValueKind;

/* In a file that imports PyTorch and NumPy; in others every tensor is of the one library. */
typedef enum ValueLibrary {
  LIBRARY_FILE,   /* PyTorch's where it is imported */
  LIBRARY_ARRAY,  /* made by NumPy */
  LIBRARY_EITHER, /* made by NumPy of what may be a tensor of PyTorch, or of both */
} ValueLibrary;

typedef struct Storage Storage;
typedef struct Share Share;
typedef struct Value Value;
typedef struct Scope Scope;
struct Value {
  ValueKind kind;
  const TensorExpr *tensor;
  const char *text;
  uint32_t count;
  const Value **items;
  const PyNode *def;
  const Scope *around;     /* of a function: the names of the function that it stands in */
  const Value **defaults;  /* of a function, by parameter: evaluated with its def; NULL where there is none */
  const PyNode *decorator; /* of a function: one that is not read, or NULL */
  char type;         /* of a tensor, where the sort does not say how its elements are kept: see value_type (types.c) */
  const char *dtype; /* "float32": of a tensor, where it is known; "?": an integer of less than 32 bits */
  const char *const *fields; /* of a named tuple: `values`, `indices`; or NULL */
  ValueLibrary library;      /* of a tensor: whose methods it has */
  bool is_list;              /* of a tuple: as an index it stands for an array of places; changed in place by += */
  bool is_number;            /* of a tensor: a number of Python, which nothing changes in place */
  const Share *shares;       /* of tensors and lists: sharing.c */
};

typedef struct Binding {
  const char *name;
  const Value *value;
} Binding;
struct Scope {
  Binding *data;
  uint32_t count, capacity;
  const Scope *around;
  const PyNode *def; /* whose names they are */
};

typedef struct FileNames FileNames;

typedef struct Evaluator {
  Reference *r;
  Arena *arena;
  TermTable *tt;
  bool is_math;         /* while a function of the module math is called */
  bool is_numpy;        /* the file imports NumPy and not PyTorch: methods are those of its arrays */
  bool has_both;        /* it imports both */
  bool has_other_reals; /* than those of f32, or may be */
  bool has_double;      /* there are real numbers of 64 bits, or may be */
  bool is_formula;      /* reductions keep their axis, transpose lists axes, ... */
  Scope globals;
  Scope *locals;
  uint32_t depth, steps, nesting;
  const TensorExpr *under; /* the arms that are evaluated run where that holds; NULL: in any case */
  const Value *returned;
  const PyNode *returned_by; /* what stands behind the last return, or NULL */
  FileNames *names;          /* of the file; NULL: a formula */
  const PyNode *star;        /* the last import *, or NULL */
} Evaluator;

enum { CALL_MAX_ARGS = 16 };

/* The arguments of a call as they are written; name NULL: by position. A method has its object first. */
typedef struct Arguments {
  uint32_t count;
  const Value *values[CALL_MAX_ARGS];
  const PyNode *nodes[CALL_MAX_ARGS];
  const char *names[CALL_MAX_ARGS];
} Arguments;

/* One call of a library function: its arguments by the names of its parameters. */
typedef struct Call {
  Evaluator *e;
  const PyNode *node;
  const char *name; /* "softmax" */
  bool is_numpy, is_math;
  uint32_t errors;                  /* before the call */
  const Value *args[CALL_MAX_ARGS]; /* by parameter; NULL: left out */
  const PyNode *nodes[CALL_MAX_ARGS];
  const Value *dtype;   /* of that name, or NULL */
  const Value *inplace; /* of that name, or NULL */
  uint32_t extra_count; /* positional arguments beyond the parameters, of *args */
  const Value *extra[CALL_MAX_ARGS];
} Call;

typedef const Value *(*Handler)(Call *call);

/* One library function: the names of its parameters, "|" between names of one, "," between parameters; "*" takes the
 * rest. */
typedef struct LibraryFunction {
  const char *name;
  Handler handler;
  const char *params;
} LibraryFunction;

extern const LibraryFunction reference_elementwise[], reference_reductions[], reference_shapes[], reference_layers[],
    reference_linear[], reference_casts[], reference_formulas[];

/* ---- errors: all return NULL ---- */
const Value *reference_fail(Evaluator *e, const PyNode *node, const char *code, const char *help, const char *format,
                            ...) __attribute__((format(printf, 5, 6)));
#define call_fail(call, help, ...) reference_fail((call)->e, (call)->node, "reference.argument", help, __VA_ARGS__)

/* ---- values ---- */
const Value *value_none(Evaluator *e);
const Value *value_tensor(Evaluator *e, const TensorExpr *t); /* NULL for NULL */
const Value *value_string(Evaluator *e, const char *text);
const Value *value_name(Evaluator *e, const char *text);
const Value *value_tuple(Evaluator *e, uint32_t count, const Value *const *items);
const Value *value_shape(Evaluator *e, const TensorExpr *t);
/* The tensor, or NULL after a diagnostic if it did not fit: for results of the tensor constructors. */
const Value *call_result(Call *call, const TensorExpr *t);
const char *reference_shape_text(Evaluator *e, const TensorExpr *t);

/* ---- types of elements (types.c) ---- */
/* 'f' real, 'i' integer, 'n' one of 8 or 16 bits, 'b' truth value, '?' a byte: an integer of 8 bits or a truth value;
 * 0: no tensor */
char value_type(const Value *v);
char type_of_both(char a, char b);                 /* of tensors that meet */
char type_of_pair(const Value *a, const Value *b); /* of values: numbers give way to tensors of their kind */
const Value *value_typed(Evaluator *e, const Value *v,
                         char type); /* v, or what is in it and has no type yet, kept as that */
const Value *value_like(Evaluator *e, const Value *v, const Value *of);    /* v, kept as `of` is */
const Value *call_typed(Call *call, const Value *result);                  /* kept as the function does it */
const Value *reference_cast(Call *call, const Value *v, const char *type); /* NULL without a word if that is no type */
const Value *
reference_as_type(Call *call,
                  const Value *result); /* under its argument `dtype`, which most functions do not look at */
const char *reference_type_text(Evaluator *e, const Value *v); /* v.dtype: "dtype.=float32", "dtype.int" */
char reference_type_kind(const char *type);                    /* 'f', 'i', 'b' of a type's name; 0: none */
int reference_compare_types(const Value *a, const Value *b);   /* -1: it is not known */

/* ---- whose methods (modules.c) ---- */
const Value *value_of_library(Evaluator *e, const Value *v, ValueLibrary library);
ValueLibrary library_of_pair(const Value *a, const Value *b);
ValueLibrary library_of_function(Evaluator *e, const char *name,
                                 const Arguments *args); /* of what a function of NumPy makes */
ValueLibrary library_of_arguments(const Arguments *args);
/* Puts in *out whether that is a method of an array of NumPy. False after a diagnostic, if that is not known and
 * matters. */
bool method_is_numpy(Evaluator *e, const PyNode *n, const Value *method, const Arguments *args, bool *out);

/* ---- widths of integers (integers.c) ---- */
bool type_is_narrow(char type);
bool value_yields(
    const Value *v); /* a number, or a tensor of rank 0: its type gives way to that of others of its kind */
bool narrow_is_kept(Evaluator *e, const char *op, const Value *a,
                    const Value *b); /* true if a OP b stays in the type of narrow integers */
bool narrow_beside(
    Evaluator *e, const PyNode *n, const Value *v,
    const Value *narrow); /* false after a diagnostic: v is a number that is cut to the type of the other */
bool integers_fit(
    Evaluator *e, const PyNode *n, const char *what,
    const Value *result); /* an integer is the result of arithmetic: assumed to fit; false after a diagnostic */

/* ---- numbers of Python (number.c) ---- */
const TensorExpr *number_arithmetic(Evaluator *e, const char *op, const Value *a,
                                    const Value *b); /* as a double, or NULL: it is exact */
const TensorExpr *number_jump(Evaluator *e, const PyNode *n, TensorOp op,
                              const Value *v); /* floor, ceil, round, trunc; NULL after a diagnostic */
/* False after a diagnostic: Python raises an error, for a OP b of numbers, and for a function of math. */
bool numbers_combine(Evaluator *e, const PyNode *n, const char *op, const Value *a, const Value *b);
void number_requires(Evaluator *e,
                     const TensorExpr *condition); /* of rank 0: what does not meet it is an error of Python */
bool math_is_defined(Evaluator *e, const PyNode *n, const char *name, const Arguments *args, const Value *result);
/* True if the integers of `&`, `|`, `^`, `<<`, `>>` fit what we compute with. */
bool number_bits_fit(Evaluator *e, const char *op, const Value *a, const Value *b);
bool numbers_are_apart(Evaluator *e, const PyNode *n, const Value *a,
                       const Value *b); /* false after a diagnostic: rounding decides which is larger */
const Value *number_beside(Evaluator *e, const Value *v,
                           const Value *other); /* v as it is compared with a tensor of f32 */

/* ---- where values are defined (domain.c): false after a diagnostic ---- */
bool reference_is_number(Evaluator *e, const PyNode *n,
                         const TensorExpr *t); /* everywhere, or an infinity that was written */
bool equality_is_known(Evaluator *e, const PyNode *n, TensorOp op, const TensorExpr *a,
                       const TensorExpr *b); /* x != x asks whether that is NaN */

/* ---- sharing (sharing.c) ---- */
void value_own(Evaluator *e, Value *v);                  /* its elements are new */
void value_of_caller(const Value *v);                    /* an argument of the reference: its changes are results */
const TensorExpr *value_contents(const Value *argument); /* what it holds after changes; NULL: there were none */
bool value_is_of(const Value *v, const Value *argument); /* v is that very tensor */
const Value *value_number(Evaluator *e, const Value *v); /* as a number of Python, if it is one number */
const Value *value_view(Evaluator *e, const Value *v, const Value *of); /* v, which may share the elements of `of` */
bool value_is_current(Evaluator *e, const PyNode *n,
                      const Value *v); /* a diagnostic if something it shares was changed */
void value_keep(const Value *v);       /* a default: changing it in place is a diagnostic */
const Value *value_changed(Evaluator *e, const PyNode *n, const Value *old,
                           const Value *now); /* `old`, changed in place to what `now` is */
const Value *changed_in_place(Evaluator *e, const PyNode *n, const char *what, const Value *old,
                              const Value *now);           /* the same, if the type and the shape stay */
const Value *call_shared(Call *call, const Value *result); /* the result, sharing what it may of the arguments */

/* ---- tensor expressions ---- */
const TensorExpr *tensor_of_int(Evaluator *e, int64_t value);
const TensorExpr *tensor_of_rational(Evaluator *e, int64_t num, int64_t den);
const TensorExpr *tensor_of_double(Evaluator *e, double value);
const TensorExpr *tensor_of_size(Evaluator *e, Term size); /* NULL if it is no size */
/* A constant of rank 0 is computed. */
const TensorExpr *tensor_folded(Evaluator *e, const TensorExpr *t);
/* Truth values become 0 and 1; numbers become "is not 0". */
const TensorExpr *tensor_number(Evaluator *e, const TensorExpr *t);
const TensorExpr *tensor_truth(Evaluator *e, const TensorExpr *t);
/* Elementwise, of numbers; NULL if shapes do not fit. */
const TensorExpr *op2(Evaluator *e, TensorOp op, const TensorExpr *a, const TensorExpr *b);
const TensorExpr *op1(Evaluator *e, TensorOp op, const TensorExpr *a);
const TensorExpr *fn1(Evaluator *e, TermFn fn, const TensorExpr *a);
const TensorExpr *power_of(Evaluator *e, const TensorExpr *a, const TensorExpr *b);
const TensorExpr *choose(Evaluator *e, const TensorExpr *c, const TensorExpr *a, const TensorExpr *b);
/* Both arms are computed: what is an error in one of them is one, though the other be chosen. */
const TensorExpr *choose_of_computed(Evaluator *e, const TensorExpr *c, const TensorExpr *a, const TensorExpr *b);
/* Folds axes of t (a bit per axis), which stay with length 1. */
const TensorExpr *fold_axes(Evaluator *e, TermFoldOp op, const TensorExpr *t, uint32_t axes);
const TensorExpr *drop_axes(Evaluator *e, const TensorExpr *t, uint32_t axes);
/* How many elements the axes hold, as a number. */
const TensorExpr *count_axes(Evaluator *e, const TensorExpr *t, uint32_t axes);
const TensorExpr *mean_axes(Evaluator *e, const TensorExpr *t, uint32_t axes);
const TensorExpr *variance_axes(Evaluator *e, const TensorExpr *t, uint32_t axes, const TensorExpr *correction);
const TensorExpr *softmax_axis(Evaluator *e, const TensorExpr *t, uint32_t axes, bool logarithm);
const TensorExpr *matrix_product(Evaluator *e, const TensorExpr *a, const TensorExpr *b);
const TensorExpr *swap_axes(Evaluator *e, const TensorExpr *t, uint32_t a, uint32_t b);
const TensorExpr *row_index(Evaluator *e, const TensorExpr *like,
                            uint32_t axis); /* 0, 1, .. along that axis of a rank-equal tensor */
const TensorExpr *sigmoid_of(Evaluator *e, const TensorExpr *t);

/* ---- arguments ---- */
bool has(const Call *call, uint32_t i);               /* given, and not None */
const TensorExpr *tensor_arg(Call *call, uint32_t i); /* a diagnostic if it is no tensor or number */
const TensorExpr *number_arg(Call *call, uint32_t i); /* truth values as 0 and 1 */
const TensorExpr *number_or(Call *call, uint32_t i, const TensorExpr *otherwise);
bool int_value(Evaluator *e, const Value *v, int64_t *out); /* a literal integer */
bool term_value(Evaluator *e, const Value *v, Term *out);   /* an integer over sizes */
bool bool_arg(Call *call, uint32_t i, bool otherwise, bool *out);
bool string_arg(Call *call, uint32_t i, const char *otherwise, const char **out);
bool axis_arg(Call *call, uint32_t i, uint32_t rank, uint32_t *out); /* one axis */
/* A bit per axis; without the argument all of them. */
bool axes_arg(Call *call, uint32_t i, uint32_t rank, uint32_t *out);
/* A list of axes or sizes, or several arguments, from argument i on. */
bool shape_arg(Call *call, uint32_t i, uint32_t *count, Term *out);

/* ---- between the files ---- */
/* A name of textbooks (tensor/idioms.def) in a formula, written as docs/formula.md has it; NULL, without a word, if it
 * is none. */
const Value *formula_idiom(Evaluator *e, const char *name, const Arguments *args);
bool formula_has_idiom(const char *name); /* a name of textbooks, whatever its arguments are */
const Value *evaluate(Evaluator *e, const PyNode *n);
const Value *evaluate_call(Evaluator *e, const PyNode *n);
const Value *call_library(Evaluator *e, const PyNode *n, const char *name, bool is_numpy, const Arguments *args);
bool library_has(Evaluator *e, const char *name); /* true if that is a function, of a module or of Python itself */
const Value *call_function(Evaluator *e, const PyNode *n, const Value *function, const Arguments *args);
void scope_bind(Evaluator *e, Scope *scope, const char *name, const Value *value);
const Value *scope_own(const Scope *scope, const char *name); /* NULL: it is none of its names */
const Value *scope_find(Evaluator *e, const char *name); /* of the function at hand, those around it, the file; NULL */
bool reference_statement(Evaluator *e, const PyNode *n);
const char *name_last_part(const char *text);                    /* "exp" of "torch.exp" */
bool reference_is_module(const char *text);                      /* whose functions are read */
bool reference_module_has(const char *module, const char *name); /* "": a method of its tensors */
bool reference_changes(const char *name); /* a method that has a form with "_", which changes its tensor */
bool reference_is_known(
    const char *text); /* a module, a function or a type that is read: other names may have any value */
const Value *reference_constant(Evaluator *e, const char *text); /* math.pi; NULL if that is none */
/* The names of the file (names.c); false after a diagnostic, if any of them may be anything. */
bool reference_globals(Evaluator *e);
const Value *name_of_file(Evaluator *e, const char *name,
                          const Value *value);            /* which it gets: this one, or that it is unread */
const Value *name_unread(Evaluator *e, const PyNode *at); /* for the last diagnostic */
const Value *value_unread(Evaluator *e, const PyNode *at, const char *why);
const Value *reference_subscript(Evaluator *e, const PyNode *n, const Value *value, const Value *index);
bool reference_place(Evaluator *e, const PyNode *n, Term *place,
                     Term length); /* from the end, if it is below 0; false after a diagnostic */
void reference_inside(Evaluator *e, Term a,
                      Term b); /* a <= b, for a part of a tensor: known, or assumed of the launch */
/* Places of an array that may be below 0, which are from the end. */
const TensorExpr *reference_places(Evaluator *e, const TensorExpr *places, Term length);
const Value *reference_attribute(Evaluator *e, const PyNode *n, const Value *value, const char *name);
const Value *reference_binary(Evaluator *e, const PyNode *n, const char *op, const Value *a, const Value *b);
const Value *reference_invert(Evaluator *e, const PyNode *n, const Value *v); /* ~v */
const Value *part_of_list(Evaluator *e, const Value *list, uint32_t begin,
                          uint32_t end);                      /* a new list, or tuple, as that one is */
bool value_is_truth(Evaluator *e, const Value *v, bool *out); /* a condition that is known */

#endif

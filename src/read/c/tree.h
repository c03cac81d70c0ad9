/* The tree of a C or C++ file: what the reader needs of clang's, as plain data in an arena.
 *
 * Parentheses, implicit conversions and whatever clang wraps around an expression are left away: types say what is
 * converted where. Types are canonical. Names refer to the node of their declaration. */
#ifndef ASSAY_READ_C_TREE_H
#define ASSAY_READ_C_TREE_H

#include "program/program.h"
#include "read/options.h"

typedef enum CTypeKind {
  CTYPE_OTHER,
  CTYPE_VOID,
  CTYPE_BOOL,
  CTYPE_INT,
  CTYPE_FLOAT,
  CTYPE_POINTER,
  CTYPE_ARRAY,  /* count; -1: `extent`, or NULL where the type does not say it */
  CTYPE_VECTOR, /* std::vector */
  CTYPE_STRUCT, /* record: until records.c has replaced it by its fields */
} CTypeKind;

typedef struct CField {
  const char *name;
  const struct CType *type;
  const struct CNode *initial; /* `int n = 3;`: what it begins with where nothing else is said, a constant; or NULL */
  bool is_indexed;             /* a pointer to several structs */
} CField;

typedef struct CRecord {
  CField *fields;
  uint32_t count;
  bool has_constructor, is_constructed; /* one of the source; so, or one of its fields is */
  bool has_initials;
} CRecord;

typedef struct CType {
  CTypeKind kind;
  bool is_signed, is_const, is_reference;
  bool is_allocated; /* an array that malloc gives */
  bool is_object;    /* std::array, which is copied as a whole */
  bool is_rows;      /* of a parameter: it was a pointer to pointers, rows.c */
  bool is_reversed; /* a pointer behind the element that std::reverse_iterator is at: only tree.c tells its operators */
  uint32_t width;
  FloatFormat format;
  int64_t count;
  const struct CNode *extent; /* of a variable-length array, computed where it is declared */
  const struct CType *element;
  CRecord *record;
  const char *text; /* as clang spells it */
} CType;

typedef enum CNodeKind {
  CNODE_UNKNOWN, /* `name`: what clang calls it */
  /* expressions */
  CNODE_INTEGER,
  CNODE_REAL,
  CNODE_NAME,      /* target */
  CNODE_UNARY,     /* op; 1 */
  CNODE_BINARY,    /* op; 2: assignments too */
  CNODE_SUBSCRIPT, /* 2: of arrays and pointers */
  CNODE_CONDITIONAL,
  CNODE_CAST,      /* 1: an explicit one, or an implicit one that changes the type */
  CNODE_CALL,      /* name, target (or NULL); arguments */
  CNODE_METHOD,    /* name; object, arguments */
  CNODE_CONSTRUCT, /* of a class: arguments */
  CNODE_LIST,      /* { .. } */
  CNODE_MOVE,      /* std::move of a vector, of which nothing is known from then on */
  CNODE_TEXT,      /* "abc" */
  CNODE_LAMBDA,    /* its calls have their own target */
  CNODE_MEMBER,    /* of a struct, or of what points to one; op: the field. records.c leaves none */
  CNODE_DESIGNATE, /* of a list: .name = value. records.c leaves none */
  CNODE_NOT_NULL,  /* true: the pointer `name` points to something, which is assumed */
  CNODE_UNPACK,    /* a call that returns a struct, and the places of its fields */
  /* statements */
  CNODE_COMPOUND,
  CNODE_DECLARE, /* variables, and statements in their scope */
  CNODE_IF,      /* condition, then, else or NULL */
  CNODE_FOR,     /* start, condition, step, body; NULL where there is none */
  CNODE_WHILE,   /* condition, body */
  CNODE_DO,      /* body, condition */
  CNODE_EACH,    /* variable, range, body */
  CNODE_RETURN,  /* value or NULL; of a struct, those of its fields */
  CNODE_BREAK,
  CNODE_CONTINUE,
  CNODE_SWITCH, /* value, body */
  CNODE_CASE,   /* value or NULL (default), the statement behind the label */
  CNODE_GOTO,   /* name. jumps.c leaves none that it can follow */
  CNODE_LABEL,  /* name; the statement behind it */
  CNODE_EMPTY,
  CNODE_MARK, /* where `break` (op: CNODE_BREAK) or `continue` goes on: of the lowering alone */
  /* declarations */
  CNODE_VARIABLE, /* name; initial value or NULL; op: 1 where it is global; members: of a struct, see records.c */
  CNODE_FUNCTION, /* name; type: of the result; parameters (variables), then the body, or NULL; op: a CFunction;
                     members: of a struct that is returned, a variable for each field, `integer` of them */
} CNodeKind;

/* As libclang numbers them (versions 17 to 22). */
typedef enum CBinary {
  CBINARY_MUL = 3,
  CBINARY_DIV,
  CBINARY_REM,
  CBINARY_ADD,
  CBINARY_SUB,
  CBINARY_SHL,
  CBINARY_SHR,
  CBINARY_SPACESHIP,
  CBINARY_LT,
  CBINARY_GT,
  CBINARY_LE,
  CBINARY_GE,
  CBINARY_EQ,
  CBINARY_NE,
  CBINARY_AND,
  CBINARY_XOR,
  CBINARY_OR,
  CBINARY_ALL, /* && */
  CBINARY_ANY, /* || */
  CBINARY_ASSIGN,
  CBINARY_MUL_ASSIGN,
  CBINARY_DIV_ASSIGN,
  CBINARY_REM_ASSIGN,
  CBINARY_ADD_ASSIGN,
  CBINARY_SUB_ASSIGN,
  CBINARY_SHL_ASSIGN,
  CBINARY_SHR_ASSIGN,
  CBINARY_AND_ASSIGN,
  CBINARY_XOR_ASSIGN,
  CBINARY_OR_ASSIGN,
  CBINARY_COMMA,
} CBinary;

typedef enum CFunction {
  CFUNCTION_PLAIN,
  CFUNCTION_LAMBDA,      /* it sees the variables around it */
  CFUNCTION_OPAQUE,      /* its calls are unknown functions of the arguments, body or not */
  CFUNCTION_CONSTRUCTOR, /* its calls are the object that it makes, its first parameter, which they do not mention */
} CFunction;

typedef enum CUnary {
  CUNARY_POST_INC = 1,
  CUNARY_POST_DEC,
  CUNARY_PRE_INC,
  CUNARY_PRE_DEC,
  CUNARY_ADDRESS,
  CUNARY_DEREFERENCE,
  CUNARY_PLUS,
  CUNARY_MINUS,
  CUNARY_COMPLEMENT,
  CUNARY_NOT,
} CUnary;

typedef struct CNode {
  CNodeKind kind;
  int op;
  const CType *type;
  const char *name;
  const struct CNode *target;
  int64_t integer;
  double real;
  struct CNode **children, **members;
  uint32_t count;
  const char *part;           /* "1_x": a member of the second parameter, which is a struct; NULL: it is none */
  bool is_flattened;          /* a function: parameters were structs */
  bool sets_fields;           /* a constructor: all, before its body */
  const char *captures;       /* a lambda: what stands between its brackets; NULL: not known */
  const struct CFault *fault; /* a function: what does not compile of it; its body is left away */
  const char *file;           /* as in diagnostics; NULL: the main file */
  uint32_t line, column;
  Span span; /* in the main file; a point where a macro or another file has it */
} CNode;

/* An error of clang's in a file of which the rest is read all the same. */
typedef struct CFault {
  void *of_file;
  unsigned offset;
  const char *text, *file; /* file: as in CNode */
  uint32_t line, column;
  Span span;
  bool loops; /* the function that is refused for it has loops */
} CFault;

typedef struct CTree {
  Array(CNode *) functions; /* with a body, that no header of ours declares, in order */
  Array(CFault) faults;     /* without ReadOptions.keeps_going there are none */
} CTree;

/* Replaces goto where it goes forward: jumps.c. */
void c_replace_jumps(Arena *arena, CTree *tree);
bool c_is_loop(const CNode *node);
/* Replaces structs by their fields: records.c. */
void c_flatten_records(Arena *arena, CTree *tree);
/* *(a + i) of an array becomes a[i]: rows.c. */
void c_subscript_rows(Arena *arena, CNode *node);
/* Reads parameters that are pointers to pointers as arrays of rows: rows.c. */
void c_replace_rows(Arena *arena, CTree *tree);

CNode *c_copy_constant(Arena *arena, const CNode *node);
/* bytes / size, as the source has it: sizeof(T) * n, or a number. NULL: it is written otherwise. */
CNode *c_elements_of(Arena *arena, CNode *bytes, int64_t size);

void c_report_fault(Arena *arena, const Source *source, DiagnosticList *diagnostics, const CFault *fault);

/* NULL after diagnostics. `arguments`: for clang. */
CTree *c_tree_read(Arena *arena, Source *source, const ReadOptions *options, DiagnosticList *diagnostics);

#endif

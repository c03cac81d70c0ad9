/* The part of libclang's C interface that is used, declared here so that nothing of clang is needed to build.
 *
 * The library is loaded when the first C or C++ file is read. Its types and enumerators are a stable interface:
 * versions 17 to 22 have the same ones. Functions are members of one struct, filled by name. */
#ifndef ASSAY_READ_C_CLANG_H
#define ASSAY_READ_C_CLANG_H

#include <stddef.h>

#include <stdbool.h>

typedef struct ClangString {
  const void *data;
  unsigned flags;
} ClangString;

typedef struct ClangCursor {
  int kind, xdata;
  const void *data[3];
} ClangCursor;

typedef struct ClangType {
  int kind;
  void *data[2];
} ClangType;

typedef struct ClangLocation {
  const void *data[2];
  unsigned offset;
} ClangLocation;

typedef struct ClangRange {
  const void *data[2];
  unsigned begin, end;
} ClangRange;

typedef struct ClangUnsaved {
  const char *name, *text;
  unsigned long size;
} ClangUnsaved;

typedef int (*ClangVisitor)(ClangCursor cursor, ClangCursor parent, void *payload);

enum { CLANG_KEEP_GOING = 0x200 }; /* past a header that is missing */
enum { CLANG_VISIT_BREAK, CLANG_VISIT_CONTINUE, CLANG_VISIT_RECURSE };

/* What a cursor is. */
enum {
  CLANG_DECLARATION_FIRST = 1,
  CLANG_STRUCT_DECL = 2,
  CLANG_UNION_DECL = 3,
  CLANG_CLASS_DECL = 4,
  CLANG_ENUM_DECL = 5,
  CLANG_FIELD_DECL = 6,
  CLANG_ENUM_CONSTANT = 7,
  CLANG_FUNCTION = 8,
  CLANG_VARIABLE = 9,
  CLANG_PARAMETER = 10,
  CLANG_METHOD = 21,
  CLANG_NAMESPACE = 22,
  CLANG_LINKAGE = 23,
  CLANG_CONSTRUCTOR = 24,
  CLANG_DESTRUCTOR = 25,
  CLANG_FUNCTION_TEMPLATE = 30,
  CLANG_DECLARATION_LAST = 39,
  CLANG_TYPE_REF = 43,
  CLANG_BASE = 44,
  CLANG_TEMPLATE_REF = 45,
  CLANG_NAMESPACE_REF = 46,
  CLANG_MEMBER_REF = 47,
  CLANG_UNEXPOSED_EXPR = 100,
  CLANG_NAME_EXPR = 101,
  CLANG_MEMBER_EXPR = 102,
  CLANG_CALL = 103,
  CLANG_INTEGER = 106,
  CLANG_REAL = 107,
  CLANG_TEXT = 109,
  CLANG_CHARACTER = 110,
  CLANG_PARENTHESES = 111,
  CLANG_UNARY = 112,
  CLANG_SUBSCRIPT = 113,
  CLANG_BINARY = 114,
  CLANG_COMPOUND_ASSIGN = 115,
  CLANG_CONDITIONAL = 116,
  CLANG_C_CAST = 117,
  CLANG_COMPOUND_LITERAL = 118,
  CLANG_INIT_LIST = 119,
  CLANG_STATIC_CAST = 124,
  CLANG_CONST_CAST = 127,
  CLANG_FUNCTIONAL_CAST = 128,
  CLANG_BOOL = 130,
  CLANG_THIS = 132,
  CLANG_UNARY_EXPR = 136, /* sizeof */
  CLANG_LAMBDA = 144,
  CLANG_UNEXPOSED_STATEMENT = 200,
  CLANG_COMPOUND = 202,
  CLANG_CASE = 203,
  CLANG_DEFAULT = 204,
  CLANG_IF = 205,
  CLANG_SWITCH = 206,
  CLANG_WHILE = 207,
  CLANG_DO = 208,
  CLANG_FOR = 209,
  CLANG_CONTINUE = 212,
  CLANG_BREAK = 213,
  CLANG_LABEL_REF = 48,
  CLANG_LABEL = 201,
  CLANG_GOTO = 210,
  CLANG_RETURN = 214,
  CLANG_RANGE_FOR = 225,
  CLANG_EMPTY = 230,
  CLANG_DECLARATION = 231,
  CLANG_TRANSLATION_UNIT = 350,
};

/* What a type is. */
enum {
  CLANG_TYPE_VOID = 2,
  CLANG_TYPE_BOOL = 3,
  CLANG_TYPE_CHAR_U = 4,
  CLANG_TYPE_UCHAR = 5,
  CLANG_TYPE_USHORT = 8,
  CLANG_TYPE_UINT = 9,
  CLANG_TYPE_ULONG = 10,
  CLANG_TYPE_ULONGLONG = 11,
  CLANG_TYPE_CHAR_S = 13,
  CLANG_TYPE_SCHAR = 14,
  CLANG_TYPE_SHORT = 16,
  CLANG_TYPE_INT = 17,
  CLANG_TYPE_LONG = 18,
  CLANG_TYPE_LONGLONG = 19,
  CLANG_TYPE_FLOAT = 21,
  CLANG_TYPE_DOUBLE = 22,
  CLANG_TYPE_LONG_DOUBLE = 23,
  CLANG_TYPE_POINTER = 101,
  CLANG_TYPE_LVALUE_REFERENCE = 103,
  CLANG_TYPE_RVALUE_REFERENCE = 104,
  CLANG_TYPE_RECORD = 105,
  CLANG_TYPE_ENUM = 106,
  CLANG_TYPE_CONSTANT_ARRAY = 112,
  CLANG_TYPE_INCOMPLETE_ARRAY = 114,
  CLANG_TYPE_VARIABLE_ARRAY = 115,
};

enum { CLANG_EVAL_INT = 1, CLANG_EVAL_FLOAT = 2 };
enum { CLANG_STORAGE_STATIC = 3 };

/*  result            name                             parameters */
#define CLANG_FUNCTIONS(F)                                                                                             \
  F(void *, createIndex, (int, int))                                                                                   \
  F(void, disposeIndex, (void *))                                                                                      \
  F(int, parseTranslationUnit2,                                                                                        \
    (void *, const char *, const char *const *, int, ClangUnsaved *, unsigned, unsigned, void **))                     \
  F(void, disposeTranslationUnit, (void *))                                                                            \
  F(ClangCursor, getTranslationUnitCursor, (void *))                                                                   \
  F(unsigned, visitChildren, (ClangCursor, ClangVisitor, void *))                                                      \
  F(ClangType, getCursorType, (ClangCursor))                                                                           \
  F(ClangType, getCanonicalType, (ClangType))                                                                          \
  F(ClangType, getPointeeType, (ClangType))                                                                            \
  F(ClangType, getArrayElementType, (ClangType))                                                                       \
  F(long long, getArraySize, (ClangType))                                                                              \
  F(ClangType, getCursorResultType, (ClangCursor))                                                                     \
  F(ClangType, getEnumDeclIntegerType, (ClangCursor))                                                                  \
  F(unsigned, Type_visitFields, (ClangType, int (*)(ClangCursor, void *), void *))                                     \
  F(unsigned, Cursor_isBitField, (ClangCursor))                                                                        \
  F(unsigned, CXXField_isMutable, (ClangCursor))                                                                       \
  F(int, getTemplateCursorKind, (ClangCursor))                                                                         \
  F(unsigned, CXXMethod_isStatic, (ClangCursor))                                                                       \
  F(unsigned, CXXMethod_isVirtual, (ClangCursor))                                                                      \
  F(unsigned, CXXMethod_isConst, (ClangCursor))                                                                        \
  F(unsigned, CXXMethod_isDefaulted, (ClangCursor))                                                                    \
  F(unsigned, CXXConstructor_isCopyConstructor, (ClangCursor))                                                         \
  F(unsigned, CXXConstructor_isMoveConstructor, (ClangCursor))                                                         \
  F(long long, Type_getSizeOf, (ClangType))                                                                            \
  F(unsigned, isConstQualifiedType, (ClangType))                                                                       \
  F(ClangCursor, getTypeDeclaration, (ClangType))                                                                      \
  F(int, Type_getNumTemplateArguments, (ClangType))                                                                    \
  F(ClangType, Type_getTemplateArgumentAsType, (ClangType, unsigned))                                                  \
  F(ClangString, getTypeSpelling, (ClangType))                                                                         \
  F(ClangString, getCursorSpelling, (ClangCursor))                                                                     \
  F(ClangString, getCursorKindSpelling, (int))                                                                         \
  F(const char *, getCString, (ClangString))                                                                           \
  F(void, disposeString, (ClangString))                                                                                \
  F(ClangCursor, getCursorReferenced, (ClangCursor))                                                                   \
  F(ClangCursor, getCursorDefinition, (ClangCursor))                                                                   \
  F(ClangCursor, getCanonicalCursor, (ClangCursor))                                                                    \
  F(ClangCursor, Cursor_getVarDeclInitializer, (ClangCursor))                                                          \
  F(ClangCursor, getCursorSemanticParent, (ClangCursor))                                                               \
  F(unsigned, equalCursors, (ClangCursor, ClangCursor))                                                                \
  F(unsigned, hashCursor, (ClangCursor))                                                                               \
  F(int, Cursor_getNumArguments, (ClangCursor))                                                                        \
  F(ClangCursor, Cursor_getArgument, (ClangCursor, unsigned))                                                          \
  F(int, Cursor_getStorageClass, (ClangCursor))                                                                        \
  F(int, getCursorBinaryOperatorKind, (ClangCursor))                                                                   \
  F(int, getCursorUnaryOperatorKind, (ClangCursor))                                                                    \
  F(ClangLocation, getCursorLocation, (ClangCursor))                                                                   \
  F(ClangRange, getCursorExtent, (ClangCursor))                                                                        \
  F(ClangLocation, getRangeStart, (ClangRange))                                                                        \
  F(ClangLocation, getRangeEnd, (ClangRange))                                                                          \
  F(int, Location_isFromMainFile, (ClangLocation))                                                                     \
  F(void, getExpansionLocation, (ClangLocation, void **, unsigned *, unsigned *, unsigned *))                          \
  F(const char *, getFileContents, (void *, void *, size_t *))                                                         \
  F(ClangString, getFileName, (void *))                                                                                \
  F(void *, Cursor_Evaluate, (ClangCursor))                                                                            \
  F(int, EvalResult_getKind, (void *))                                                                                 \
  F(long long, EvalResult_getAsLongLong, (void *))                                                                     \
  F(double, EvalResult_getAsDouble, (void *))                                                                          \
  F(void, EvalResult_dispose, (void *))                                                                                \
  F(unsigned, getNumDiagnostics, (void *))                                                                             \
  F(void *, getDiagnostic, (void *, unsigned))                                                                         \
  F(int, getDiagnosticSeverity, (void *))                                                                              \
  F(ClangString, getDiagnosticSpelling, (void *))                                                                      \
  F(ClangLocation, getDiagnosticLocation, (void *))                                                                    \
  F(void, disposeDiagnostic, (void *))                                                                                 \
  F(long long, getEnumConstantDeclValue, (ClangCursor))                                                                \
  F(ClangString, getClangVersion, (void))

typedef struct Clang {
#define DECLARE(result, name, parameters) result(*name) parameters;
  CLANG_FUNCTIONS(DECLARE)
#undef DECLARE
} Clang;

/* The library, loaded once; NULL: it is not there, or too old: `missing` says what is wrong. */
const Clang *clang_load(const char **missing);

/* The standard headers that are served from memory: names below CLANG_HEADERS, and texts. */
#define CLANG_HEADERS "/assay-headers"
const ClangUnsaved *clang_headers(unsigned *count);

#endif

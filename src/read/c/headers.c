/* The standard headers as small texts of ours (see clang.h).
 *
 * Parsing the <vector> of a C++ library takes clang 200 ms; these take 1. They declare what is read, with the types
 * and overloads of the standard, and nothing else: a name that is missing is an error of clang's at its place. */
#include "read/c/clang.h"

#include <string.h>

static const char stddef_text[] =
    "#pragma once\n"
    "typedef __SIZE_TYPE__ size_t; typedef __PTRDIFF_TYPE__ ptrdiff_t;\n"
    "#define NULL 0\n"
    "#ifdef __cplusplus\n"
    "namespace std { using ::size_t; using ::ptrdiff_t; typedef decltype(nullptr) nullptr_t; }\n"
    "#endif\n";

static const char stdint_text[] =
    "#pragma once\n"
    "typedef signed char int8_t; typedef short int16_t; typedef int int32_t; typedef long int64_t;\n"
    "typedef unsigned char uint8_t; typedef unsigned short uint16_t; typedef unsigned uint32_t;\n"
    "typedef unsigned long uint64_t; typedef long intptr_t; typedef unsigned long uintptr_t;\n"
    "typedef signed char int_fast8_t; typedef long int_fast16_t, int_fast32_t, int_fast64_t;\n"
    "typedef unsigned char uint_fast8_t; typedef unsigned long uint_fast16_t, uint_fast32_t, uint_fast64_t;\n"
    "typedef signed char int_least8_t; typedef short int_least16_t; typedef int int_least32_t;\n"
    "typedef long int_least64_t; typedef unsigned char uint_least8_t; typedef unsigned short uint_least16_t;\n"
    "typedef unsigned uint_least32_t; typedef unsigned long uint_least64_t;\n"
    "typedef long intmax_t; typedef unsigned long uintmax_t;\n"
    "#define INTMAX_MAX 9223372036854775807l\n#define INTMAX_MIN (-INTMAX_MAX - 1)\n#define UINTMAX_MAX UINT64_MAX\n"
    "#define INTPTR_MAX INTMAX_MAX\n#define PTRDIFF_MAX INTMAX_MAX\n"
    "#define INT8_C(x) x\n#define INT16_C(x) x\n#define INT32_C(x) x\n#define INT64_C(x) x##l\n"
    "#define UINT8_C(x) x\n#define UINT16_C(x) x\n#define UINT32_C(x) x##u\n#define UINT64_C(x) x##ul\n"
    "#define PRId64 \"ld\"\n#define PRIu64 \"lu\"\n#define PRIx64 \"lx\"\n#define PRId32 \"d\"\n"
    "#define PRIu32 \"u\"\n"
    "#define INT8_MIN (-128)\n#define INT8_MAX 127\n#define UINT8_MAX 255\n"
    "#define INT16_MIN (-32768)\n#define INT16_MAX 32767\n#define UINT16_MAX 65535\n"
    "#define INT32_MIN (-2147483647 - 1)\n#define INT32_MAX 2147483647\n#define UINT32_MAX 4294967295u\n"
    "#define INT64_MIN (-9223372036854775807l - 1)\n#define INT64_MAX 9223372036854775807l\n"
    "#define UINT64_MAX 18446744073709551615ul\n#define SIZE_MAX UINT64_MAX\n"
    "#ifdef __cplusplus\n"
    "namespace std { using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t; using ::uint8_t;\n"
    "using ::uint16_t; using ::uint32_t; using ::uint64_t; using ::intptr_t; using ::uintptr_t; using ::intmax_t;\n"
    "using ::uintmax_t; using ::int_fast32_t; using ::int_fast64_t; using ::uint_fast32_t; }\n"
    "#endif\n";

static const char limits_text[] =
    "#pragma once\n"
    "#define CHAR_BIT 8\n#define SCHAR_MIN (-128)\n#define SCHAR_MAX 127\n#define UCHAR_MAX 255\n"
    "#define CHAR_MIN (-128)\n#define CHAR_MAX 127\n#define SHRT_MIN (-32768)\n#define SHRT_MAX 32767\n"
    "#define USHRT_MAX 65535\n#define INT_MIN (-2147483647 - 1)\n#define INT_MAX 2147483647\n"
    "#define UINT_MAX 4294967295u\n#define LONG_MIN (-9223372036854775807l - 1)\n"
    "#define LONG_MAX 9223372036854775807l\n#define ULONG_MAX 18446744073709551615ul\n"
    "#define LLONG_MIN (-9223372036854775807ll - 1)\n#define LLONG_MAX 9223372036854775807ll\n"
    "#define ULLONG_MAX 18446744073709551615ull\n";

static const char float_text[] =
    "#pragma once\n"
    "#define FLT_DIG 6\n#define DBL_DIG 15\n#define FLT_MANT_DIG 24\n#define DBL_MANT_DIG 53\n"
    "#define LDBL_DIG 18\n#define LDBL_MANT_DIG 64\n#define FLT_RADIX 2\n#define DECIMAL_DIG 21\n"
    "#define FLT_MAX_EXP 128\n#define FLT_MIN_EXP (-125)\n#define DBL_MAX_EXP 1024\n#define DBL_MIN_EXP (-1021)\n"
    "#define FLT_MAX_10_EXP 38\n#define FLT_MIN_10_EXP (-37)\n#define DBL_MAX_10_EXP 308\n"
    "#define DBL_MIN_10_EXP (-307)\n#define LDBL_MAX __LDBL_MAX__\n#define LDBL_MIN __LDBL_MIN__\n"
    "#define LDBL_EPSILON __LDBL_EPSILON__\n#define FLT_TRUE_MIN __FLT_DENORM_MIN__\n"
    "#define DBL_TRUE_MIN __DBL_DENORM_MIN__\n"
    "#define FLT_MAX __FLT_MAX__\n#define FLT_MIN __FLT_MIN__\n"
    "#define FLT_EPSILON __FLT_EPSILON__\n#define DBL_MAX __DBL_MAX__\n"
    "#define DBL_MIN __DBL_MIN__\n#define DBL_EPSILON __DBL_EPSILON__\n";

static const char bool_text[] = "#pragma once\n"
                                "#ifndef __cplusplus\n#define bool _Bool\n#define true 1\n#define false 0\n#endif\n";

#define MATH_1(name) "double " name "(double); float " name "f(float); long double " name "l(long double);\n"
#define MATH_2(name)                                                                                                   \
  "double " name "(double, double); float " name "f(float, float);\n"                                                  \
  "long double " name "l(long double, long double);\n"

/* Functions that are not in base/functions.def. */
#define MORE_MATH(F1, F2)                                                                                              \
  F1("tgamma")                                                                                                         \
  F1("lgamma")                                                                                                         \
  F1("erfc")                                                                                                           \
  F1("logb")                                                                                                           \
  F1("sqrt")                                                                                                           \
  F1("cbrt")                                                                                                           \
  F1("exp2")                                                                                                           \
  F1("expm1")                                                                                                          \
  F1("log2")                                                                                                           \
  F1("log10")                                                                                                          \
  F1("log1p")                                                                                                          \
  F1("fabs")                                                                                                           \
  F1("floor")                                                                                                          \
  F1("ceil")                                                                                                           \
  F1("round")                                                                                                          \
  F1("trunc")                                                                                                          \
  F1("rint")                                                                                                           \
  F1("nearbyint")                                                                                                      \
  F2("remainder")                                                                                                      \
  F2("fdim")                                                                                                           \
  F2("fmod")                                                                                                           \
  F2("fmax")                                                                                                           \
  F2("fmin")                                                                                                           \
  F2("hypot")                                                                                                          \
  F2("copysign")                                                                                                       \
  F2("nextafte"                                                                                                        \
     "r")

static const char math_text[] = "#pragma once\n"
                                "#ifdef __cplusplus\nextern \"C\" {\n#endif\n"
#define FN(id, text, arity, ...) MATH_##arity(text)
#define FN_REAL(...)
#define FN_INT(...)
#include "base/functions.def"
    MORE_MATH(
        MATH_1,
        MATH_2) "double fma(double, double, double); float fmaf(float, float, float);\n"
                "long double fmal(long double, long double, long double);\n"
                "long lround(double); long lroundf(float); long lroundl(long double);\n"
                "long lrint(double); long lrintf(float); long lrintl(long double);\n"
                "long long llround(double); long long llroundf(float); long long llroundl(long double);\n"
                "long long llrint(double); long long llrintf(float); long long llrintl(long double);\n"
                "double ldexp(double, int); float ldexpf(float, int); long double ldexpl(long double, int);\n"
                "double scalbn(double, int); float scalbnf(float, int); double scalbln(double, long);\n"
                "double frexp(double, int *); float frexpf(float, int *); long double frexpl(long double, int *);\n"
                "double modf(double, double *); float modff(float, float *); long double modfl(long double, long "
                "double *);\n"
                "double remquo(double, double, int *); float remquof(float, float, int *);\n"
                "int ilogb(double); int ilogbf(float); double nan(const char *); float nanf(const char *);\n"
                "double nexttoward(double, long double); double j0(double); double j1(double); double jn(int, "
                "double);\n"
                "double y0(double); double y1(double); double yn(int, double); void sincos(double, double *, double "
                "*);\n"
                "void sincosf(float, float *, float *); double exp10(double); float exp10f(float);\n"
                "typedef float float_t; typedef double double_t;\n"
                "#ifdef __cplusplus\n}\n#endif\n"
                "#define isnan(x) __builtin_isnan(x)\n#define isinf(x) __builtin_isinf(x)\n"
                "#define isfinite(x) __builtin_isfinite(x)\n#define isnormal(x) __builtin_isnormal(x)\n"
                "#define signbit(x) __builtin_signbit(x)\n#define fpclassify(x) \\\n"
                "  __builtin_fpclassify(FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO, x)\n"
                "#define FP_NAN 0\n#define FP_INFINITE 1\n#define FP_ZERO 2\n#define FP_SUBNORMAL 3\n#define FP_NORMAL "
                "4\n"
                "#define isgreater(x, y) ((x) > (y))\n#define isgreaterequal(x, y) ((x) >= (y))\n"
                "#define isless(x, y) ((x) < (y))\n#define islessequal(x, y) ((x) <= (y))\n"
                "#define isunordered(x, y) __builtin_isunordered(x, y)\n"
                "#define M_E 2.7182818284590452354\n#define M_LOG2E 1.4426950408889634074\n"
                "#define M_LOG10E 0.43429448190325182765\n#define M_LN2 0.69314718055994530942\n"
                "#define M_LN10 2.30258509299404568402\n#define M_PI 3.14159265358979323846\n"
                "#define M_PI_2 1.57079632679489661923\n#define M_PI_4 0.78539816339744830962\n"
                "#define M_1_PI 0.31830988618379067154\n#define M_2_PI 0.63661977236758134308\n"
                "#define M_2_SQRTPI 1.12837916709551257390\n#define M_SQRT2 1.41421356237309504880\n"
                "#define M_SQRT1_2 0.70710678118654752440\n"
                "#define INFINITY __builtin_inff()\n#define HUGE_VAL __builtin_inf()\n#define HUGE_VALF "
                "__builtin_inff()\n"
                "#define HUGE_VALL __builtin_infl()\n#define NAN __builtin_nanf(\"\")\n"
                "#define FP_ILOGB0 (-2147483647 - 1)\n#define MAXFLOAT __FLT_MAX__\n";

static const char stdlib_text[] =
    "#pragma once\n#include <stddef.h>\n"
    "#ifdef __cplusplus\nextern \"C\" {\n#endif\n"
    "int abs(int); long labs(long); long long llabs(long long); int rand(void); void srand(unsigned);\n"
    "#define RAND_MAX 2147483647\n#define EXIT_SUCCESS 0\n#define EXIT_FAILURE 1\n"
    "int atoi(const char *); double atof(const char *); long strtol(const char *, char **, int);\n"
    "unsigned long strtoul(const char *, char **, int); double strtod(const char *, char **);\n"
    "char *getenv(const char *); void abort(void); void *realloc(void *, size_t);\n"
    "void qsort(void *, size_t, size_t, int (*)(const void *, const void *));\n"
    "void *aligned_alloc(size_t, size_t); int posix_memalign(void **, size_t, size_t);\n"
    "void *malloc(size_t); void *calloc(size_t, size_t); void free(void *);\n"
    "void exit(int); void _Exit(int); int atexit(void (*)(void)); int system(const char *); long random(void);\n"
    "void srandom(unsigned); double drand48(void); void srand48(long); long lrand48(void); int rand_r(unsigned *);\n"
    "long atol(const char *); long long atoll(const char *); long long strtoll(const char *, char **, int);\n"
    "unsigned long long strtoull(const char *, char **, int); float strtof(const char *, char **);\n"
    "typedef struct { int quot, rem; } div_t; typedef struct { long quot, rem; } ldiv_t;\n"
    "div_t div(int, int); ldiv_t ldiv(long, long);\n"
    "void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));\n"
    "#ifdef __cplusplus\n}\n"
    "namespace std { using ::abs; using ::labs; using ::llabs; using ::malloc; using ::calloc; using ::realloc;\n"
    "using ::free; using ::exit; using ::abort; using ::rand; using ::srand; using ::atoi; using ::atof; using "
    "::strtol;\n"
    "using ::strtod; using ::qsort; using ::getenv; using ::size_t; using ::div; using ::atol; }\n"
    "#endif\n";

static const char allocation_text[] = "#pragma once\n#include <stdlib.h>\n";

static const char string_text[] =
    "#pragma once\n#include <stddef.h>\n"
    "#ifdef __cplusplus\nextern \"C\" {\n#endif\n"
    "void *memset(void *, int, size_t); void *memcpy(void *, const void *, size_t);\n"
    "void *memmove(void *, const void *, size_t); int memcmp(const void *, const void *, size_t);\n"
    "size_t strlen(const char *); int strcmp(const char *, const char *);\n"
    "int strncmp(const char *, const char *, size_t); char *strcpy(char *, const char *);\n"
    "char *strncpy(char *, const char *, size_t); char *strcat(char *, const char *);\n"
    "char *strchr(const char *, int); char *strrchr(const char *, int); char *strerror(int);\n"
    "char *strstr(const char *, const char *); char *strdup(const char *);\n"
    "char *strtok(char *, const char *); void *memchr(const void *, int, size_t);\n"
    "char *strncat(char *, const char *, size_t); size_t strspn(const char *, const char *);\n"
    "size_t strcspn(const char *, const char *); char *strpbrk(const char *, const char *);\n"
    "void bzero(void *, size_t); void *mempcpy(void *, const void *, size_t); size_t strnlen(const char *, size_t);\n"
    "int strcasecmp(const char *, const char *); int strncasecmp(const char *, const char *, size_t);\n"
    "#ifdef __cplusplus\n}\n"
    "namespace std { using ::memset; using ::memcpy; using ::memmove; using ::memcmp; using ::strlen; using ::strcmp;\n"
    "using ::strncmp; using ::strcpy; using ::strncpy; using ::strcat; using ::strchr; using ::strstr; using ::size_t; "
    "}\n"
    "#endif\n";

static const char assert_text[] = "#pragma once\n"
                                  "#ifdef __cplusplus\nextern \"C\"\n#endif\nvoid __assay_assert(int);\n"
                                  "#define assert(condition) __assay_assert(!!(condition))\n";

static const char nothing_text[] = "#pragma once\n#include <stddef.h>\n";

/* Arguments of whole numbers are doubles, as the overloads of the standard say. */
#define STD_1(name)                                                                                                    \
  "using ::" name "; using ::" name "f; using ::" name "l; float " name "(float); long double " name                   \
  "(long double);\n"                                                                                                   \
  "template <class T> typename __assay_whole<T>::real " name "(T);\n"
#define STD_2(name)                                                                                                    \
  "using ::" name "; using ::" name "f; using ::" name "l; float " name "(float, float);\n"                            \
  "long double " name "(long double, long double);\n"                                                                  \
  "template <class T, class U> typename __assay_mixed<T, U>::real " name "(T, U);\n"

static const char cmath_text[] =
    "#pragma once\n#include <math.h>\n#include <stdlib.h>\n"
    "#undef isnan\n#undef isinf\n#undef isfinite\n#undef isnormal\n#undef signbit\n"
    "namespace std {\n"
    "template <class T> struct __assay_whole {};\n"
    "#define OF_WHOLE(T) template <> struct __assay_whole<T> { typedef double real; };\n"
    "OF_WHOLE(bool) OF_WHOLE(char) OF_WHOLE(signed char) OF_WHOLE(unsigned char) OF_WHOLE(short)\n"
    "OF_WHOLE(unsigned short) OF_WHOLE(int) OF_WHOLE(unsigned) OF_WHOLE(long) OF_WHOLE(unsigned long)\n"
    "OF_WHOLE(long long) OF_WHOLE(unsigned long long)\n#undef OF_WHOLE\n"
    "template <class T, class U> struct __assay_mixed { typedef double real; };\n"
    "template <class T> struct __assay_mixed<T, long double> { typedef long double real; };\n"
    "template <class T> struct __assay_mixed<long double, T> { typedef long double real; };\n"
    "template <> struct __assay_mixed<long double, long double> {};\n"
    "template <> struct __assay_mixed<float, float> {};\n"
#define FN(id, text, arity, ...) STD_##arity(text)
#define FN_REAL(...)
#define FN_INT(...)
#include "base/functions.def"
    MORE_MATH(
        STD_1,
        STD_2) "using ::fma; float fma(float, float, float); using ::lround; using ::lrint; using ::llround; using "
               "::llrint;\n"
               "long lround(float); long lrint(float); long long llround(float); long long llrint(float);\n"
               "using ::ldexp; float ldexp(float, int); using ::frexp; float frexp(float, int *); using ::modf;\n"
               "float modf(float, float *); using ::ilogb; using ::scalbn; float scalbn(float, int); using ::nan; "
               "using ::nanf;\n"
               "using ::abs; long abs(long); long long abs(long long); double abs(double); float abs(float);\n"
               "long double abs(long double); double hypot(double, double, double);\n"
               "bool isnan(float); bool isnan(double); bool isnan(long double); bool isinf(float); bool "
               "isinf(double);\n"
               "bool isinf(long double); bool isfinite(float); bool isfinite(double); bool isfinite(long double);\n"
               "bool isnormal(double); bool signbit(double); bool signbit(float);\n"
               "template <class T> T lerp(T a, T b, T t) { return a + t * (b - a); }\n"
               "}\nusing std::isnan; using std::isinf; using std::isfinite; using std::signbit; using std::isnormal;\n";

static const char vector_text[] =
    "#pragma once\n#include <stddef.h>\n#include <initializer_list>\n#include <utility>\n"
    "namespace std {\n"
    "template <class T> class allocator;\n"
    "template <class I> struct reverse_iterator { I at; typedef decltype(*I()) reference;\n"
    "  reference operator*() const; reverse_iterator &operator++(); reverse_iterator operator++(int);\n"
    "  reverse_iterator operator+(ptrdiff_t) const; reverse_iterator operator-(ptrdiff_t) const;\n"
    "  ptrdiff_t operator-(const reverse_iterator &) const; I base() const; reference operator[](ptrdiff_t) const;\n"
    "  reverse_iterator &operator--(); reverse_iterator &operator+=(ptrdiff_t);\n"
    "  bool operator==(const reverse_iterator &) const; bool operator!=(const reverse_iterator &) const;\n"
    "  bool operator<(const reverse_iterator &) const; };\n"
    "template <class T, class A = allocator<T>> class vector {\n"
    " public:\n"
    "  typedef T value_type; typedef T *iterator; typedef const T *const_iterator;\n"
    "  typedef size_t size_type; typedef ptrdiff_t difference_type; typedef T &reference;\n"
    "  typedef const T &const_reference;\n"
    "  vector(); explicit vector(size_type); vector(size_type, const T &); vector(const vector &);\n"
    "  vector(initializer_list<T>); template <class U> vector(U *, U *); ~vector();\n"
    "  vector &operator=(const vector &);\n"
    "  T &operator[](size_type); const T &operator[](size_type) const;\n"
    "  T &at(size_type); const T &at(size_type) const;\n"
    "  T &front(); const T &front() const; T &back(); const T &back() const;\n"
    "  T *data(); const T *data() const; T *begin(); const T *begin() const; T *end(); const T *end() const;\n"
    "  const T *cbegin() const; const T *cend() const;\n"
    "  size_type size() const; bool empty() const; void reserve(size_type); void clear();\n"
    "  void resize(size_type); void resize(size_type, const T &); void assign(size_type, const T &);\n"
    "  template <class U> void assign(U *, U *); template <class U> void insert(const T *, U *, U *);\n"
    "  void swap(vector &); void shrink_to_fit(); size_type capacity() const;\n"
    "  void push_back(const T &); void pop_back(); T &emplace_back(const T &);\n"
    "  T &emplace_back();\n"
    "  template <class U, class V, class... W> T &emplace_back(const U &, const V &, const W &...);\n"
    "  template <class I> vector(reverse_iterator<I>, reverse_iterator<I>);\n"
    "  reverse_iterator<T *> rbegin(); reverse_iterator<T *> rend();\n"
    "  reverse_iterator<const T *> rbegin() const; reverse_iterator<const T *> rend() const;\n"
    "  reverse_iterator<const T *> crbegin() const; reverse_iterator<const T *> crend() const;\n"
    "};\n"
    "}\n";

static const char initializer_list_text[] =
    "#pragma once\n#include <stddef.h>\n"
    "namespace std { template <class T> class initializer_list { const T *first; size_t count; public:\n"
    "size_t size() const; const T *begin() const; const T *end() const; }; }\n";

static const char utility_text[] = "#pragma once\n#include <stddef.h>\n"
                                   "namespace std {\n"
                                   "template <class T> T &&move(T &x);\n"
                                   "template <class T> void swap(T &, T &);\n"
                                   "template <class C> struct back_insert_iterator { C *to;\n"
                                   "  void push_back(const typename C::value_type &); };\n"
                                   "template <class C> back_insert_iterator<C> back_inserter(C &);\n"
                                   "template <class A, class B> struct pair { A first; B second; };\n"
                                   "template <class A, class B> pair<A, B> make_pair(A, B);\n"
                                   "}\n";

/* A number of two parts, whose operators are inlined as those of the user's own classes are. */
#define COMPLEX_SAME(op)                                                                                               \
  "template <class T> complex<T> operator" op "(const complex<T> &a, const complex<T> &b) { return complex<T>(a.r " op \
  " b.r, a.i " op " b.i); }\n"                                                                                         \
  "template <class T> complex<T> operator" op "(const complex<T> &a, const T &b) { return complex<T>(a.r " op          \
  " b, a.i); }\n"                                                                                                      \
  "template <class T> complex<T> operator" op "(const T &a, const complex<T> &b) { return complex<T>(a " op            \
  " b.r, 0 " op " b.i); }\n"
static const char complex_text[] =
    "#pragma once\n#include <cmath>\n"
    "namespace std {\n"
    "template <class T> struct complex {\n"
    "  typedef T value_type;\n"
    "  T r, i;\n"
    "  complex() : r(0), i(0) {}\n"
    "  complex(const T &a) : r(a), i(0) {}\n"
    "  complex(const T &a, const T &b) : r(a), i(b) {}\n"
    "  T real() const { return r; }\n"
    "  T imag() const { return i; }\n"
    "  complex &operator+=(const complex &o) { r += o.r; i += o.i; return *this; }\n"
    "  complex &operator-=(const complex &o) { r -= o.r; i -= o.i; return *this; }\n"
    "  complex &operator*=(const complex &o) { T a = r * o.r - i * o.i; i = r * o.i + i * o.r; r = a; return *this; }\n"
    "  complex &operator*=(const T &o) { r *= o; i *= o; return *this; }\n"
    "  complex &operator/=(const T &o) { r /= o; i /= o; return *this; }\n"
    "};\n" COMPLEX_SAME("+") COMPLEX_SAME(
        "-") "template <class T> complex<T> operator-(const complex<T> &a) { return complex<T>(-a.r, -a.i); }\n"
             "template <class T> complex<T> operator*(const complex<T> &a, const complex<T> &b) {\n"
             "  return complex<T>(a.r * b.r - a.i * b.i, a.r * b.i + a.i * b.r); }\n"
             "template <class T> complex<T> operator*(const complex<T> &a, const T &b) { return complex<T>(a.r * b, "
             "a.i * b); }\n"
             "template <class T> complex<T> operator*(const T &a, const complex<T> &b) { return complex<T>(a * b.r, a "
             "* b.i); }\n"
             "template <class T> complex<T> operator/(const complex<T> &a, const T &b) { return complex<T>(a.r / b, "
             "a.i / b); }\n"
             "template <class T> complex<T> operator/(const complex<T> &a, const complex<T> &b) {\n"
             "  T d = b.r * b.r + b.i * b.i;\n"
             "  return complex<T>((a.r * b.r + a.i * b.i) / d, (a.i * b.r - a.r * b.i) / d); }\n"
             "template <class T> T real(const complex<T> &a) { return a.r; }\n"
             "template <class T> T imag(const complex<T> &a) { return a.i; }\n"
             "template <class T> T norm(const complex<T> &a) { return a.r * a.r + a.i * a.i; }\n"
             "template <class T> T abs(const complex<T> &a) { return sqrt(a.r * a.r + a.i * a.i); }\n"
             "template <class T> T arg(const complex<T> &a) { return atan2(a.i, a.r); }\n"
             "template <class T> complex<T> conj(const complex<T> &a) { return complex<T>(a.r, -a.i); }\n"
             "template <class T> complex<T> polar(const T &a, const T &b) { return complex<T>(a * cos(b), a * sin(b)); "
             "}\n"
             "template <class T> complex<T> exp(const complex<T> &a) { T e = exp(a.r); return complex<T>(e * cos(a.i), "
             "e * sin(a.i)); }\n"
             "}\n";

static const char iterator_text[] = "#pragma once\n#include <utility>\n";

/* Algorithms have their bodies, which are inlined as the user's own are. */
static const char algorithm_text[] =
    "#pragma once\n#include <utility>\n#include <functional>\n#include <initializer_list>\n"
    "namespace std {\n"
    "template <class T> const T &min(const T &, const T &);\n"
    "template <class T> const T &max(const T &, const T &);\n"
    "template <class T, class F> T min(const T &a, const T &b, F f) { return f(b, a) ? b : a; }\n"
    "template <class T, class F> T max(const T &a, const T &b, F f) { return f(a, b) ? b : a; }\n"
    "template <class T> T min(initializer_list<T>); template <class T> T max(initializer_list<T>);\n"
    "template <class I> void sort(I, I); template <class I, class F> void sort(I, I, F);\n"
    "template <class I> void stable_sort(I, I); template <class I, class F> void stable_sort(I, I, F);\n"
    "template <class I> void nth_element(I, I, I); template <class I> I unique(I, I);\n"
    "template <class I> bool is_sorted(I, I); template <class I, class T> I remove(I, I, const T &);\n"
    "template <class I, class F> I remove_if(I, I, F); template <class I> void rotate(I, I, I);\n"
    "template <class I, class T> I lower_bound(I, I, const T &); template <class I, class T> I upper_bound(I, I, const "
    "T &);\n"
    "template <class I, class T> bool binary_search(I, I, const T &);\n"
    "template <class T> T clamp(T x, T lo, T hi) { return x < lo ? lo : hi < x ? hi : x; }\n"
    "template <class I, class T> void fill(I first, I last, T x) { while (first != last) { *first = x; ++first; } }\n"
    "template <class I, class N, class T> void fill_n(I first, N n, T x) {\n"
    "  for (N i = 0; i < n; ++i) first[i] = x; }\n"
    "template <class I> I max_element(I first, I last) { I best = first;\n"
    "  for (I i = first; i != last; ++i) if (*best < *i) best = i; return best; }\n"
    "template <class I> I min_element(I first, I last) { I best = first;\n"
    "  for (I i = first; i != last; ++i) if (*i < *best) best = i; return best; }\n"
    "template <class I, class F> I max_element(I first, I last, F f) { I best = first;\n"
    "  for (I i = first; i != last; ++i) if (f(*best, *i)) best = i; return best; }\n"
    "template <class I, class F> I min_element(I first, I last, F f) { I best = first;\n"
    "  for (I i = first; i != last; ++i) if (f(*i, *best)) best = i; return best; }\n"
    "template <class I, class F> I find_if(I first, I last, F f) {\n"
    "  while (first != last && !f(*first)) ++first; return first; }\n"
    "template <class I, class F> void generate(I first, I last, F f) { while (first != last) { *first = f(); ++first; "
    "} "
    "}\n"
    "template <class I, class J> J swap_ranges(I first, I last, J second) {\n"
    "  while (first != last) { swap(*first, *second); ++first; ++second; } return second; }\n"
    "template <class I, class O> void copy(I first, I last, O out) {\n"
    "  while (first != last) { *out = *first; ++first; ++out; } }\n"
    "template <class I, class N, class O> void copy_n(I first, N n, O out) {\n"
    "  for (N i = 0; i < n; ++i) out[i] = first[i]; }\n"
    "template <class I, class C> void copy(I first, I last, back_insert_iterator<C> out) {\n"
    "  while (first != last) { out.push_back(*first); ++first; } }\n"
    "template <class I, class C, class F> void copy_if(I first, I last, back_insert_iterator<C> out, F f) {\n"
    "  while (first != last) { if (f(*first)) out.push_back(*first); ++first; } }\n"
    "template <class I, class C, class F> void transform(I first, I last, back_insert_iterator<C> out, F f) {\n"
    "  while (first != last) { out.push_back(f(*first)); ++first; } }\n"
    "template <class I, class J, class C, class F>\n"
    "void transform(I first, I last, J second, back_insert_iterator<C> out, F f) {\n"
    "  while (first != last) { out.push_back(f(*first, *second)); ++first; ++second; } }\n"
    "template <class I, class O, class F> void transform(I first, I last, O out, F f) {\n"
    "  while (first != last) { *out = f(*first); ++first; ++out; } }\n"
    "template <class I, class J, class O, class F> void transform(I first, I last, J second, O out, F f) {\n"
    "  while (first != last) { *out = f(*first, *second); ++first; ++second; ++out; } }\n"
    "template <class I, class F> void for_each(I first, I last, F f) { while (first != last) { f(*first); ++first; } "
    "}\n"
    "template <class I, class T> ptrdiff_t count(I first, I last, T x) { ptrdiff_t n = 0;\n"
    "  while (first != last) { if (*first == x) ++n; ++first; } return n; }\n"
    "template <class I, class F> ptrdiff_t count_if(I first, I last, F f) { ptrdiff_t n = 0;\n"
    "  while (first != last) { if (f(*first)) ++n; ++first; } return n; }\n"
    "template <class I, class F> bool any_of(I first, I last, F f) { bool any = false;\n"
    "  while (first != last) { any = any || f(*first); ++first; } return any; }\n"
    "template <class I, class F> bool all_of(I first, I last, F f) { bool all = true;\n"
    "  while (first != last) { all = all && f(*first); ++first; } return all; }\n"
    "template <class I, class F> bool none_of(I first, I last, F f) { return !any_of(first, last, f); }\n"
    "template <class I, class J> bool equal(I first, I last, J second) { bool all = true;\n"
    "  while (first != last) { all = all && *first == *second; ++first; ++second; } return all; }\n"
    "template <class I, class T> void replace(I first, I last, const T &from, const T &to) {\n"
    "  while (first != last) { if (*first == from) *first = to; ++first; } }\n"
    "template <class I, class F, class T> void replace_if(I first, I last, F f, T to) {\n"
    "  while (first != last) { if (f(*first)) *first = to; ++first; } }\n"
    "template <class I, class T> I find(I first, I last, T x) {\n"
    "  while (first != last && !(*first == x)) ++first; return first; }\n"
    "template <class I, class O> void reverse_copy(I first, I last, O out) { ptrdiff_t n = last - first;\n"
    "  for (ptrdiff_t i = 0; i < n; ++i) out[i] = first[n - 1 - i]; }\n"
    "template <class I, class O> void rotate_copy(I first, I middle, I last, O out) { ptrdiff_t n = last - first;\n"
    "  for (ptrdiff_t i = 0; i < n; ++i) out[i] = first[(i + (middle - first)) % n]; }\n"
    "template <class I> void reverse(I first, I last) { ptrdiff_t n = last - first;\n"
    "  for (ptrdiff_t i = 0; i < n / 2; ++i) swap(first[i], first[n - 1 - i]); }\n"
    "}\n";

static const char numeric_text[] =
    "#pragma once\n#include <stddef.h>\n#include <functional>\n"
    "namespace std {\n"
    "template <class I, class T> T accumulate(I first, I last, T x) {\n"
    "  while (first != last) { x = x + *first; ++first; } return x; }\n"
    "template <class I, class T, class F> T accumulate(I first, I last, T x, F f) {\n"
    "  while (first != last) { x = f(x, *first); ++first; } return x; }\n"
    "template <class I, class J, class T> T inner_product(I first, I last, J second, T x) {\n"
    "  while (first != last) { x = x + *first * *second; ++first; ++second; } return x; }\n"
    "template <class I, class J, class T, class F, class G>\n"
    "T inner_product(I first, I last, J second, T x, F f, G g) {\n"
    "  while (first != last) { x = f(x, g(*first, *second)); ++first; ++second; } return x; }\n"
    "template <class I, class O> void adjacent_difference(I first, I last, O out) { ptrdiff_t n = last - first;\n"
    "  if (n > 0) out[0] = first[0];\n"
    "  for (ptrdiff_t i = n - 1; i > 0; --i) out[i] = first[i] - first[i - 1]; }\n" /* out may be first */
    "template <class I, class T> T reduce(I first, I last, T x) {\n"
    "  while (first != last) { x = x + *first; ++first; } return x; }\n"
    "template <class I, class T, class F> T reduce(I first, I last, T x, F f) {\n"
    "  while (first != last) { x = f(x, *first); ++first; } return x; }\n"
    "template <class I, class T, class F, class G> T transform_reduce(I first, I last, T x, F f, G g) {\n"
    "  while (first != last) { x = f(x, g(*first)); ++first; } return x; }\n"
    "template <class I, class J, class T> T transform_reduce(I first, I last, J second, T x) {\n"
    "  while (first != last) { x = x + *first * *second; ++first; ++second; } return x; }\n"
    "template <class I, class O> void inclusive_scan(I first, I last, O out) { ptrdiff_t n = last - first;\n"
    "  if (n > 0) { out[0] = first[0]; for (ptrdiff_t i = 1; i < n; ++i) out[i] = out[i - 1] + first[i]; } }\n"
    "template <class T> T gcd(T, T); template <class T> T lcm(T, T);\n"
    "template <class T> T midpoint(T a, T b) { return a + (b - a) / 2; }\n"
    "template <class I, class T> void iota(I first, I last, T x) { while (first != last) { *first = x; ++first; ++x; } "
    "}\n"
    "template <class I, class O> void partial_sum(I first, I last, O out) { ptrdiff_t n = last - first;\n"
    "  if (n > 0) { out[0] = first[0]; for (ptrdiff_t i = 1; i < n; ++i) out[i] = out[i - 1] + first[i]; } }\n"
    "}\n";

static const char functional_text[] =
    "#pragma once\n"
    "namespace std {\n"
    "template <class T = void> struct plus { T operator()(T a, T b) const { return a + b; } };\n"
    "template <class T = void> struct minus { T operator()(T a, T b) const { return a - b; } };\n"
    "template <class T = void> struct multiplies { T operator()(T a, T b) const { return a * b; } };\n"
    "template <class T = void> struct divides { T operator()(T a, T b) const { return a / b; } };\n"
    "template <class T = void> struct modulus { T operator()(T a, T b) const { return a % b; } };\n"
    "template <class T = void> struct negate { T operator()(T a) const { return -a; } };\n"
    "#define OF_ANY(name, op) template <> struct name<void> {\\\n"
    "  template <class T, class U> auto operator()(T a, U b) const { return a op b; } };\n"
    "OF_ANY(plus, +) OF_ANY(minus, -) OF_ANY(multiplies, *) OF_ANY(divides, /) OF_ANY(modulus, %)\n"
    "#undef OF_ANY\n"
    "template <> struct negate<void> { template <class T> auto operator()(T a) const { return -a; } };\n"
    "}\n";

static const char stdarg_text[] = "#pragma once\n"
                                  "typedef __builtin_va_list va_list;\n"
                                  "#define va_start(list, last) __builtin_va_start(list, last)\n"
                                  "#define va_end(list) __builtin_va_end(list)\n"
                                  "#define va_arg(list, type) __builtin_va_arg(list, type)\n"
                                  "#define va_copy(to, from) __builtin_va_copy(to, from)\n";

static const char stdio_text[] =
    "#pragma once\n"
    "#include <stddef.h>\n"
    "#include <stdarg.h>\n"
    "#ifdef __cplusplus\n"
    "extern \"C\" {\n"
    "#endif\n"
    "typedef struct __assay_file FILE; extern FILE *stdin, *stdout, *stderr;\n"
    "#define EOF (-1)\n"
    "#define SEEK_SET 0\n"
    "#define SEEK_CUR 1\n"
    "#define SEEK_END 2\n"
    "int printf(const char *, ...); int fprintf(FILE *, const char *, ...); int sprintf(char *, const char *, ...);\n"
    "int snprintf(char *, size_t, const char *, ...); int vfprintf(FILE *, const char *, va_list);\n"
    "int vsnprintf(char *, size_t, const char *, va_list); int vprintf(const char *, va_list);\n"
    "int scanf(const char *, ...); int fscanf(FILE *, const char *, ...); int sscanf(const char *, const char *, "
    "...);\n"
    "FILE *fopen(const char *, const char *); int fclose(FILE *); int fflush(FILE *); int feof(FILE *); int "
    "ferror(FILE *);\n"
    "size_t fread(void *, size_t, size_t, FILE *); size_t fwrite(const void *, size_t, size_t, FILE *);\n"
    "int fseek(FILE *, long, int); long ftell(FILE *); void rewind(FILE *); int fgetc(FILE *); int getc(FILE *);\n"
    "int getchar(void); int ungetc(int, FILE *); char *fgets(char *, int, FILE *); int fputc(int, FILE *);\n"
    "int putc(int, FILE *); int putchar(int); int fputs(const char *, FILE *); int puts(const char *); void "
    "perror(const char *);\n"
    "int remove(const char *); int rename(const char *, const char *);\n"
    "#ifdef __cplusplus\n"
    "}\n"
    "#endif\n";

static const char ctype_text[] =
    "#pragma once\n"
    "#ifdef __cplusplus\n"
    "extern \"C\" {\n"
    "#endif\n"
    "int isalpha(int); int isdigit(int); int isalnum(int); int isspace(int); int isupper(int); int islower(int);\n"
    "int ispunct(int); int isprint(int); int isxdigit(int); int iscntrl(int); int isgraph(int); int toupper(int);\n"
    "int tolower(int);\n"
    "#ifdef __cplusplus\n"
    "}\n"
    "#endif\n";

static const char errno_text[] = "#pragma once\n"
                                 "extern int errno;\n"
                                 "#define EDOM 33\n"
                                 "#define ERANGE 34\n"
                                 "#define EINVAL 22\n"
                                 "#define ENOMEM 12\n";

static const char time_text[] =
    "#pragma once\n"
    "#include <stddef.h>\n"
    "#ifdef __cplusplus\n"
    "extern \"C\" {\n"
    "#endif\n"
    "typedef long time_t; typedef long clock_t; struct timespec { time_t tv_sec; long tv_nsec; };\n"
    "struct tm { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst; };\n"
    "#define CLOCKS_PER_SEC 1000000l\n"
    "#define CLOCK_REALTIME 0\n"
    "#define CLOCK_MONOTONIC 1\n"
    "time_t time(time_t *); clock_t clock(void); int clock_gettime(int, struct timespec *); double difftime(time_t, "
    "time_t);\n"
    "struct tm *localtime(const time_t *); struct tm *gmtime(const time_t *); time_t mktime(struct tm *);\n"
    "#ifdef __cplusplus\n"
    "}\n"
    "#endif\n";

static const char unistd_text[] =
    "#pragma once\n"
    "#include <stddef.h>\n"
    "#include <stdint.h>\n"
    "#ifdef __cplusplus\n"
    "extern \"C\" {\n"
    "#endif\n"
    "typedef long ssize_t; typedef long off_t; typedef int pid_t;\n"
    "int close(int); ssize_t read(int, void *, size_t); ssize_t write(int, const void *, size_t); int "
    "usleep(unsigned);\n"
    "unsigned sleep(unsigned); pid_t getpid(void); long sysconf(int); int isatty(int); int unlink(const char *);\n"
    "#ifdef __cplusplus\n"
    "}\n"
    "#endif\n";

static const char types_text[] = "#pragma once\n"
                                 "#include <stddef.h>\n"
                                 "#include <stdint.h>\n"
                                 "typedef long ssize_t; typedef long off_t; typedef int pid_t; typedef unsigned uint; "
                                 "typedef unsigned char u_char;\n";

static const char array_text[] =
    "#pragma once\n"
    "#include <stddef.h>\n"
    "namespace std {\n"
    "template <class T, size_t N> struct array {\n"
    "  T elements[N];\n"
    "  typedef T value_type; typedef size_t size_type;\n"
    "  T &operator[](size_t); const T &operator[](size_t) const; T &at(size_t); const T &at(size_t) const;\n"
    "  T &front(); const T &front() const; T &back(); const T &back() const; T *data(); const T *data() const;\n"
    "  T *begin(); const T *begin() const; T *end(); const T *end() const; void fill(const T &);\n"
    "  constexpr size_t size() const { return N; } constexpr bool empty() const { return N == 0; }\n"
    "};\n"
    "}\n";

static const char numeric_limits_text[] =
    "#pragma once\n"
    "#include <limits.h>\n"
    "#include <float.h>\n"
    "namespace std {\n"
    "template <class T> struct numeric_limits;\n"
    "template <> struct numeric_limits<bool> { static constexpr bool min() { return false; }\n"
    "static constexpr bool max() { return true; } static constexpr bool lowest() { return false; } };\n"
    "template <> struct numeric_limits<char> { static constexpr char min() { return CHAR_MIN; }\n"
    "static constexpr char max() { return CHAR_MAX; } static constexpr char lowest() { return CHAR_MIN; } };\n"
    "template <> struct numeric_limits<signed char> { static constexpr signed char min() { return SCHAR_MIN; }\n"
    "static constexpr signed char max() { return SCHAR_MAX; } static constexpr signed char lowest() { return "
    "SCHAR_MIN; } };\n"
    "template <> struct numeric_limits<unsigned char> { static constexpr unsigned char min() { return 0; }\n"
    "static constexpr unsigned char max() { return UCHAR_MAX; } static constexpr unsigned char lowest() { return 0; } "
    "};\n"
    "template <> struct numeric_limits<short> { static constexpr short min() { return SHRT_MIN; }\n"
    "static constexpr short max() { return SHRT_MAX; } static constexpr short lowest() { return SHRT_MIN; } };\n"
    "template <> struct numeric_limits<unsigned short> { static constexpr unsigned short min() { return 0; }\n"
    "static constexpr unsigned short max() { return USHRT_MAX; } static constexpr unsigned short lowest() { return 0; "
    "} };\n"
    "template <> struct numeric_limits<int> { static constexpr int min() { return INT_MIN; }\n"
    "static constexpr int max() { return INT_MAX; } static constexpr int lowest() { return INT_MIN; } };\n"
    "template <> struct numeric_limits<unsigned> { static constexpr unsigned min() { return 0; }\n"
    "static constexpr unsigned max() { return UINT_MAX; } static constexpr unsigned lowest() { return 0; } };\n"
    "template <> struct numeric_limits<long> { static constexpr long min() { return LONG_MIN; }\n"
    "static constexpr long max() { return LONG_MAX; } static constexpr long lowest() { return LONG_MIN; } };\n"
    "template <> struct numeric_limits<unsigned long> { static constexpr unsigned long min() { return 0; }\n"
    "static constexpr unsigned long max() { return ULONG_MAX; } static constexpr unsigned long lowest() { return 0; } "
    "};\n"
    "template <> struct numeric_limits<long long> { static constexpr long long min() { return LLONG_MIN; }\n"
    "static constexpr long long max() { return LLONG_MAX; } static constexpr long long lowest() { return LLONG_MIN; } "
    "};\n"
    "template <> struct numeric_limits<unsigned long long> { static constexpr unsigned long long min() { return 0; }\n"
    "static constexpr unsigned long long max() { return ULLONG_MAX; } static constexpr unsigned long long lowest() { "
    "return 0; } };\n"
    "template <> struct numeric_limits<float> { static constexpr float min() { return FLT_MIN; }\n"
    "static constexpr float max() { return FLT_MAX; } static constexpr float lowest() { return -FLT_MAX; }\n"
    "static constexpr float epsilon() { return FLT_EPSILON; } static constexpr float infinity() { return "
    "__builtin_inff(); } };\n"
    "template <> struct numeric_limits<double> { static constexpr double min() { return DBL_MIN; }\n"
    "static constexpr double max() { return DBL_MAX; } static constexpr double lowest() { return -DBL_MAX; }\n"
    "static constexpr double epsilon() { return DBL_EPSILON; } static constexpr double infinity() { return "
    "__builtin_inff(); } };\n"
    "}\n";

static const char cxx_string_text[] =
    "#pragma once\n"
    "#include <stddef.h>\n"
    "namespace std {\n"
    "class string {\n"
    " public:\n"
    "  string(); string(const char *); string(const string &); string(size_t, char); ~string();\n"
    "  string &operator=(const string &); size_t size() const; size_t length() const; bool empty() const;\n"
    "  const char *c_str() const; const char *data() const; char &operator[](size_t); const char &operator[](size_t) "
    "const;\n"
    "  char &at(size_t); const char &at(size_t) const; char *begin(); char *end(); const char *begin() const;\n"
    "  const char *end() const; string &operator+=(const string &); string &operator+=(char); void push_back(char);\n"
    "  void clear(); void resize(size_t); string substr(size_t, size_t) const; string substr(size_t) const;\n"
    "  size_t find(const string &) const;\n"
    "  static const size_t npos = -1;\n"
    "};\n"
    "string operator+(const string &, const string &); bool operator==(const string &, const string &);\n"
    "bool operator!=(const string &, const string &); bool operator<(const string &, const string &);\n"
    "string to_string(int); string to_string(long); string to_string(unsigned long); string to_string(double);\n"
    "}\n";

static const char iostream_text[] =
    "#pragma once\n"
    "#include <string>\n"
    "namespace std {\n"
    "struct ostream { template <class T> ostream &operator<<(const T &); ostream &operator<<(ostream &(*)(ostream &)); "
    "};\n"
    "struct istream { template <class T> istream &operator>>(T &); };\n"
    "extern ostream cout, cerr, clog; extern istream cin; ostream &endl(ostream &); ostream &flush(ostream &);\n"
    "}\n";

static const char stdexcept_text[] = "#pragma once\n"
                                     "#include <string>\n"
                                     "namespace std {\n"
                                     "struct exception { virtual ~exception(); virtual const char *what() const; };\n"
                                     "struct runtime_error : exception { runtime_error(const string &); };\n"
                                     "struct logic_error : exception { logic_error(const string &); };\n"
                                     "struct invalid_argument : logic_error { invalid_argument(const string &); };\n"
                                     "struct out_of_range : logic_error { out_of_range(const string &); };\n"
                                     "}\n";

#define HEADER(name, text)                                                                                             \
  { CLANG_HEADERS "/" name, text, sizeof text - 1 }

static const ClangUnsaved headers[] = {
    HEADER("stddef.h", stddef_text),
    HEADER("cstddef", stddef_text),
    HEADER("stdint.h", stdint_text),
    HEADER("cstdint", stdint_text),
    HEADER("inttypes.h", stdint_text),
    HEADER("limits.h", limits_text),
    HEADER("climits", limits_text),
    HEADER("float.h", float_text),
    HEADER("cfloat", float_text),
    HEADER("stdbool.h", bool_text),
    HEADER("math.h", math_text),
    HEADER("cmath", cmath_text),
    HEADER("stdlib.h", stdlib_text),
    HEADER("cstdlib", allocation_text),
    HEADER("string.h", string_text),
    HEADER("cstring", string_text),
    HEADER("assert.h", assert_text),
    HEADER("cassert", assert_text),
    HEADER("stdio.h", stdio_text),
    HEADER("iostream", iostream_text),
    HEADER("string", cxx_string_text),
    HEADER("ostream", iostream_text),
    HEADER("vector", vector_text),
    HEADER("utility", utility_text),
    HEADER("complex", complex_text),
    HEADER("algorithm", algorithm_text),
    HEADER("numeric", numeric_text),
    HEADER("functional", functional_text),
    HEADER("stdarg.h", stdarg_text),
    HEADER("cstdarg", stdarg_text),
    HEADER("cstdio", stdio_text),
    HEADER("ctype.h", ctype_text),
    HEADER("cctype", ctype_text),
    HEADER("errno.h", errno_text),
    HEADER("cerrno", errno_text),
    HEADER("time.h", time_text),
    HEADER("ctime", time_text),
    HEADER("unistd.h", unistd_text),
    HEADER("sys/types.h", types_text),
    HEADER("array", array_text),
    HEADER("limits", numeric_limits_text),
    HEADER("malloc.h", allocation_text),
    HEADER("alloca.h", allocation_text),
    HEADER("memory.h", string_text),
    HEADER("cinttypes", stdint_text),
    HEADER("type_traits", nothing_text),
    HEADER("stdexcept", stdexcept_text),
    HEADER("exception", stdexcept_text),
    HEADER("iomanip", nothing_text),
    HEADER("fstream", nothing_text),
    HEADER("sstream", nothing_text),
    HEADER("memory", nothing_text),
    HEADER("omp.h", nothing_text),
    HEADER("ciso646", nothing_text),
    HEADER("new", nothing_text),
    HEADER("strings.h", string_text),
    HEADER("values.h", float_text),
    HEADER("iterator", iterator_text),
    HEADER("initializer_list", initializer_list_text),
};

const ClangUnsaved *clang_headers(unsigned *count) {
  *count = sizeof headers / sizeof *headers;
  return headers;
}

// An executable model of the intrinsics of TPC-C that emitted kernels use, for clang as C++.
//
// Lanes wrap, loads beyond a tensor give padding, stores beyond it do nothing, and an address beyond it ends the
// program. A reduction leaves its value in lane 0 alone, and other numbers in the others; the reciprocal is wrong in
// its last bits.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

typedef int tensor;
typedef float float64 __attribute__((ext_vector_type(64)));
typedef int int64 __attribute__((ext_vector_type(64)));
typedef unsigned uint64 __attribute__((ext_vector_type(64)));
typedef unsigned char uchar256 __attribute__((ext_vector_type(256)));
typedef int int5 __attribute__((ext_vector_type(5)));
struct int128 {
  int64 v1, v2;
};
enum { SW_RHNE = 0 << 16, SW_RZ = 1 << 16, SW_RU = 2 << 16, SW_RD = 3 << 16 };

struct ModelTensor {
  void *data;
  int size[5];
};
static ModelTensor model_tensors[16];
static int5 model_offset, model_size;

static inline int5 get_index_space_offset() { return model_offset; }
static inline int5 get_index_space_size() { return model_size; }
static inline int get_dim_size(tensor t, int dim) { return model_tensors[t].size[dim]; }

static inline long model_place(int5 at, tensor t) { // -1: beyond
  long place = 0;
  for (int d = 4; d >= 0; d--) {
    const int n = model_tensors[t].size[d];
    if (at[d] < 0 || at[d] >= n) return -1;
    place = place * n + at[d];
  }
  return place;
}

template <class V, class T> static inline V model_load(int5 at, tensor t) {
  V v = 0;
  for (int lane = 0; lane < 64; lane++, at[0]++) {
    const long place = model_place(at, t);
    v[lane] = place < 0 ? 0 : static_cast<T *>(model_tensors[t].data)[place];
  }
  return v;
}

template <class V, class T> static inline void model_store(int5 at, tensor t, V v, int count) {
  for (int lane = 0; lane < count; lane++, at[0]++) {
    const long place = model_place(at, t);
    if (place >= 0) static_cast<T *>(model_tensors[t].data)[place] = v[lane];
  }
}

static inline int64 v_i32_ld_tnsr_b(int5 at, tensor t) { return model_load<int64, int>(at, t); }
static inline float64 v_f32_ld_tnsr_b(int5 at, tensor t) { return model_load<float64, float>(at, t); }
static inline void v_i32_st_tnsr(int5 at, tensor t, int64 v) { model_store<int64, int>(at, t, v, 64); }
static inline void v_f32_st_tnsr(int5 at, tensor t, float64 v) { model_store<float64, float>(at, t, v, 64); }
static inline void v_i32_st_tnsr_partial(int5 at, tensor t, int64 v, int size, int offset) {
  at[0] += offset;
  model_store<int64, int>(at, t, v, size + 1);
}
static inline void v_f32_st_tnsr_partial(int5 at, tensor t, float64 v, int size, int offset) {
  at[0] += offset;
  model_store<float64, float>(at, t, v, size + 1);
}
static inline void *gen_addr(int5 at, tensor t) {
  const long place = model_place(at, t);
  if (place < 0) {
    fprintf(stderr, "an address beyond a tensor\n");
    abort();
  }
  return static_cast<int *>(model_tensors[t].data) + place;
}
static inline int s_i32_ld_g(void *address) { return *static_cast<int *>(address); }
static inline float s_f32_ld_g(void *address) { return *static_cast<float *>(address); }
static inline uint64 read_lane_id_4b_b() {
  uint64 v = 0;
  for (int lane = 0; lane < 64; lane++) v[lane] = lane;
  return v;
}

static inline int64 v_i32_add_b(int64 a, int64 b) { return (int64)((uint64)a + (uint64)b); }
static inline int64 v_i32_sub_b(int64 a, int64 b) { return (int64)((uint64)a - (uint64)b); }
static inline int128 v_i32_mul_b(int64 a, int64 b) {
  int128 r;
  for (int lane = 0; lane < 64; lane++) {
    const long long product = (long long)a[lane] * b[lane];
    r.v1[lane] = (int)(unsigned)product, r.v2[lane] = (int)(product >> 32);
  }
  return r;
}
static inline int64 v_i32_and_b(int64 a, int64 b) { return a & b; }
static inline int64 v_i32_or_b(int64 a, int64 b) { return a | b; }
static inline int64 v_i32_xor_b(int64 a, int64 b) { return a ^ b; }
static inline float64 v_f32_add_b(float64 a, float64 b) { return a + b; }
static inline float64 v_f32_sub_b(float64 a, float64 b) { return a - b; }
static inline float64 v_f32_mul_b(float64 a, float64 b) { return a * b; }
static inline float64 v_div_f32(float64 a, float64 b) { return a / b; }

#define MODEL_LANES(name, V, ...)                                                                                      \
  static inline V name {                                                                                               \
    V r = 0;                                                                                                           \
    for (int i = 0; i < 64; i++) r[i] = __VA_ARGS__;                                                                   \
    return r;                                                                                                          \
  }
#define MODEL_TYPE(kind, V)                                                                                            \
  MODEL_LANES(v_##kind##_max_b(V a, V b), V, a[i] > b[i] ? a[i] : b[i])                                                \
  MODEL_LANES(v_##kind##_min_b(V a, V b), V, a[i] < b[i] ? a[i] : b[i])                                                \
  MODEL_LANES(v_##kind##_sel_eq_##kind##_b(V a, V b, V c, V d), V, a[i] == b[i] ? c[i] : d[i])                         \
  MODEL_LANES(v_##kind##_sel_neq_##kind##_b(V a, V b, V c, V d), V, a[i] != b[i] ? c[i] : d[i])                        \
  MODEL_LANES(v_##kind##_sel_less_##kind##_b(V a, V b, V c, V d), V, a[i] < b[i] ? c[i] : d[i])                        \
  MODEL_LANES(v_##kind##_sel_leq_##kind##_b(V a, V b, V c, V d), V, a[i] <= b[i] ? c[i] : d[i])                        \
  static inline V v_##kind##_shuffle_b(V a, uchar256 pattern, int, V) {                                                \
    for (int i = 0; i < 256; i++)                                                                                      \
      if (pattern[i] != 0x80) abort(); /* lane 0 everywhere is all that is modelled */                                 \
    return a[0];                                                                                                       \
  }
MODEL_TYPE(i32, int64)
MODEL_TYPE(f32, float64)

#define MODEL_REDUCE(name, V, T, start, ...)                                                                           \
  static inline V name(V a) {                                                                                          \
    T r = start;                                                                                                       \
    for (int i = 0; i < 64; i++) r = __VA_ARGS__;                                                                      \
    V all = 77; /* the other lanes are anything */                                                                     \
    all[0] = r;                                                                                                        \
    return all;                                                                                                        \
  }
MODEL_REDUCE(v_i32_reduce_add, int64, int, 0, (int)((unsigned)r + (unsigned)a[i]))
MODEL_REDUCE(v_i32_reduce_max, int64, int, INT32_MIN, a[i] > r ? a[i] : r)
MODEL_REDUCE(v_f32_reduce_add, float64, float, 0, r + a[i])
MODEL_REDUCE(v_f32_reduce_mul, float64, float, 1, r *a[i])
MODEL_REDUCE(v_f32_reduce_max, float64, float, -INFINITY, a[i] > r ? a[i] : r)
MODEL_REDUCE(v_f32_reduce_min, float64, float, INFINITY, a[i] < r ? a[i] : r)

static inline int model_round(float x, int mode) {
  if (std::isnan(x)) return INT32_MAX;
  const double y = mode == SW_RZ   ? std::trunc(x)
                   : mode == SW_RU ? std::ceil(x)
                   : mode == SW_RD ? std::floor(x)
                                   : std::nearbyint(x);
  return y >= 2147483647.0 ? INT32_MAX : y <= -2147483648.0 ? INT32_MIN : (int)y;
}
MODEL_LANES(convert_float64_to_int64(float64 a, int mode), int64, model_round(a[i], mode))
MODEL_LANES(convert_int64_to_float64(int64 a, int), float64, (float)a[i])
MODEL_LANES(v_reciprocal_f32(float64 a), float64, 1 / a[i] * (i % 2 ? 1 + 3e-7f : 1 - 3e-7f))
MODEL_LANES(v_sqrt_f32(float64 a), float64, std::sqrt(a[i]))
MODEL_LANES(v_exp_f32(float64 a), float64, std::exp(a[i]))
MODEL_LANES(v_log_f32(float64 a), float64, std::log(a[i]))
MODEL_LANES(v_sin_f32(float64 a), float64, std::sin(a[i]))
MODEL_LANES(v_cos_f32(float64 a), float64, std::cos(a[i]))
MODEL_LANES(v_tanh_f32(float64 a), float64, std::tanh(a[i]))
MODEL_LANES(v_pow_f32(float64 a, float64 b), float64, std::pow(a[i], b[i]))

#define main tpc_main

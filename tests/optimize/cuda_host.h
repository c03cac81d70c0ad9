/* CUDA on the host, for tests of emitted kernels: blocks run one after the other, and the threads of a block are
 * coroutines that switch at barriers. A thread that ends, or meets another number of barriers, is no fault here; what
 * reads shared memory before a barrier sees what the threads before it have written, and no more. */
#ifndef CUDA_HOST_H
#define CUDA_HOST_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include <cmath>
#include <functional>
#include <type_traits>
#include <vector>

struct dim3 {
  unsigned x, y, z;
  dim3(long x = 1, long y = 1, long z = 1) : x((unsigned)x), y((unsigned)y), z((unsigned)z) {}
};

typedef int cudaStream_t;
typedef int cudaError_t;
enum { cudaSuccess, cudaErrorMemoryAllocation = 2 };

/* Half precision in software: rounded to the nearest, ties to even; numbers that are too small keep what bits there
 * are. */
struct __half {
  unsigned short bits;
  __half() = default;
  explicit __half(float value) {
    unsigned sign = std::signbit(value) ? 0x8000 : 0;
    float a = fabsf(value);
    if (std::isnan(value))
      bits = 0x7e00;
    else if (a >= 65520)
      bits = (unsigned short)(sign | 0x7c00);
    else if (a < 0x1p-14f)
      bits = (unsigned short)(sign | (unsigned)nearbyintf(a * 0x1p24f));
    else {
      int exponent;
      float fraction = frexpf(a, &exponent); /* 0.5 .. 1 */
      unsigned rounded = (unsigned)nearbyintf(fraction * 2048);
      bits = (unsigned short)(sign | (((unsigned)(exponent + 14) << 10) + (rounded - 1024)));
    }
  }
  operator float() const {
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    float a = exponent == 31 ? (fraction ? NAN : INFINITY)
              : exponent     ? ldexpf((float)(1024 + fraction), exponent - 25)
                             : ldexpf((float)fraction, -24);
    return bits & 0x8000 ? -a : a;
  }
};

struct __nv_bfloat16 {
  unsigned short bits;
  __nv_bfloat16() = default;
  explicit __nv_bfloat16(float value) {
    unsigned all;
    memcpy(&all, &value, sizeof all);
    bits = (unsigned short)((all + 0x7fff + (all >> 16 & 1)) >> 16);
  }
  operator float() const {
    unsigned all = (unsigned)bits << 16;
    float value;
    memcpy(&value, &all, sizeof value);
    return value;
  }
};

#define __global__ static
#define __device__
#define __shared__ /* the one array of a block is below */
#define __align__(n)

static dim3 threadIdx, blockIdx, blockDim, gridDim;
alignas(32) unsigned char shared[1 << 22];

struct alignas(16) int4 {
  int x, y, z, w;
};

enum { CUDA_HOST_STACK = 1 << 16 };

struct HostThread {
  ucontext_t context;
  std::vector<char> stack;
  bool ended;
};

static ucontext_t host_scheduler;
static HostThread *host_current;
static std::function<void()> *host_kernel;

static void host_enter() {
  (*host_kernel)();
  host_current->ended = true;
  swapcontext(&host_current->context, &host_scheduler);
}

static inline void __syncthreads() { swapcontext(&host_current->context, &host_scheduler); }

static inline void host_block(std::vector<HostThread> &threads) {
  for (HostThread &t : threads) {
    getcontext(&t.context);
    t.stack.resize(CUDA_HOST_STACK);
    t.context.uc_stack.ss_sp = t.stack.data(), t.context.uc_stack.ss_size = CUDA_HOST_STACK;
    t.ended = false;
    makecontext(&t.context, host_enter, 0);
  }
  for (bool some = true; some;) {
    some = false;
    for (size_t i = threads.size(); i-- > 0;) { /* the last one first: who relies on an order is found out */
      if (threads[i].ended) continue;
      host_current = &threads[i], threadIdx = dim3((long)i, 0, 0);
      swapcontext(&host_scheduler, &host_current->context);
      some |= !threads[i].ended;
    }
  }
}

static inline void host_launch(dim3 grid, unsigned count, size_t bytes, std::function<void()> kernel) {
  if (bytes > sizeof shared) fprintf(stderr, "%zu bytes of shared memory\n", bytes), exit(1);
  std::vector<HostThread> threads(count);
  gridDim = grid, blockDim = dim3(count), host_kernel = &kernel;
  for (unsigned z = 0; z < grid.z; z++)
    for (unsigned y = 0; y < grid.y; y++)
      for (unsigned x = 0; x < grid.x; x++) {
        memset(shared, 0xff, sizeof shared); /* NaN, as old contents may be */
        blockIdx = dim3(x, y, z);
        host_block(threads);
      }
}

#define LAUNCH(kernel, grid, threads, bytes, stream, ...)                                                              \
  (host_launch(grid, threads, bytes, [&] { kernel(__VA_ARGS__); }), cudaSuccess)

static inline cudaError_t cudaMallocAsync(void **out, size_t size, cudaStream_t) {
  *out = malloc(size ? size : 1);
  return *out ? cudaSuccess : cudaErrorMemoryAllocation;
}
static inline cudaError_t cudaMemsetAsync(void *at, int byte, size_t size, cudaStream_t) {
  memset(at, byte, size);
  return cudaSuccess;
}
static inline void cudaFreeAsync(void *at, cudaStream_t) { free(at); }
/* Copies that have been begun are made when they are waited for, and not before. */
struct HostCopy {
  const HostThread *by;
  void *to;
  const void *from;
  size_t size;
};
static std::vector<HostCopy> host_copies;

static inline void __pipeline_memcpy_async(void *to, const void *from, size_t size) {
  host_copies.push_back({host_current, to, from, size});
}
static inline void __pipeline_commit() {}
static inline void __pipeline_wait_prior(int) {
  std::vector<HostCopy> others;
  for (const HostCopy &c : host_copies) {
    if (c.by == host_current)
      memcpy(c.to, c.from, c.size);
    else
      others.push_back(c);
  }
  host_copies.swap(others);
}

/* A fragment is held by the first lane of a warp, which comes after the other ones (host_block). */
namespace nvcuda {
namespace wmma {
struct row_major {};
struct col_major {};
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
enum layout_t { mem_row_major, mem_col_major };
template <class Use, int M, int N, int K, class T, class Layout = void> struct fragment { T x[16][16]; };
static inline bool is_first() { return threadIdx.x % 32 == 0; }
template <class Use, class T, class Layout>
void load_matrix_sync(fragment<Use, 16, 16, 16, T, Layout> &f, const T *at, unsigned row) {
  if ((size_t)at % 32 || row % 8) fprintf(stderr, "wmma: a matrix that is not aligned\n"), exit(1);
  for (int i = 0; i < 16 && is_first(); i++)
    for (int k = 0; k < 16; k++) f.x[i][k] = std::is_same<Layout, row_major>::value ? at[i * row + k] : at[k * row + i];
}
static inline void load_matrix_sync(fragment<accumulator, 16, 16, 16, float> &f, const float *at, unsigned row,
                                    layout_t) {
  for (int i = 0; i < 16 && is_first(); i++)
    for (int k = 0; k < 16; k++) f.x[i][k] = at[i * row + k];
}
static inline void store_matrix_sync(float *at, const fragment<accumulator, 16, 16, 16, float> &f, unsigned row,
                                     layout_t) {
  if ((size_t)at % 32 || row % 4) fprintf(stderr, "wmma: a matrix that is not aligned\n"), exit(1);
  for (int i = 0; i < 16 && is_first(); i++)
    for (int k = 0; k < 16; k++) at[i * row + k] = f.x[i][k];
}
static inline void fill_fragment(fragment<accumulator, 16, 16, 16, float> &f, float value) {
  for (int i = 0; i < 16; i++)
    for (int k = 0; k < 16; k++) f.x[i][k] = value;
}
template <class T, class A, class B>
void mma_sync(fragment<accumulator, 16, 16, 16, float> &d, const fragment<matrix_a, 16, 16, 16, T, A> &a,
              const fragment<matrix_b, 16, 16, 16, T, B> &b, const fragment<accumulator, 16, 16, 16, float> &c) {
  for (int i = 0; i < 16 && is_first(); i++)
    for (int j = 0; j < 16; j++) {
      float sum = c.x[i][j];
      for (int k = 0; k < 16; k++) sum += (float)a.x[i][k] * (float)b.x[k][j];
      d.x[i][j] = sum;
    }
}
} // namespace wmma
} // namespace nvcuda

template <class T> static inline void atomicAdd(T *at, T value) { *at = (T)((float)*at + (float)value); }

#endif

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
#define __shared__ /* the one array of a block is below */
#define __align__(n)

static dim3 threadIdx, blockIdx, blockDim, gridDim;
alignas(16) unsigned char shared[1 << 22];

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
static inline void cudaFreeAsync(void *at, cudaStream_t) { free(at); }
template <class T> static inline void atomicAdd(T *at, T value) { *at = (T)((float)*at + (float)value); }

#endif

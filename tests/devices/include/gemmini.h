/* An executable model of the documented calls that emitted functions make.
 *
 * C = act(scale * (A * B + D)): elements are scaled when they are moved in (rounded to even, clamped to 8 bits), sums
 * have 32 bits, and what is moved out is scaled, rounded and clamped to 8 bits, unless full_C asks for all 32. */
#ifndef GEMMINI_H
#define GEMMINI_H
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include "include/gemmini_params.h"

enum tiled_matmul_type_t { OS, WS, CPU };
enum { NO_ACTIVATION, RELU };

static inline int model_clamped(double x) {
  const double y = nearbyint(x);
  return y > 127 ? 127 : y < -128 ? -128 : (int)y;
}

static inline void tiled_matmul_auto(size_t dim_I, size_t dim_J, size_t dim_K, const elem_t *A, const elem_t *B,
                                     const void *D, void *C, size_t stride_A, size_t stride_B, size_t stride_D,
                                     size_t stride_C, scale_t A_scale, scale_t B_scale, scale_acc_t D_scale, int act,
                                     acc_scale_t scale, acc_scale_t bert_scale, bool repeating_bias, bool transpose_A,
                                     bool transpose_B, bool full_C, bool low_D, uint8_t weightA,
                                     enum tiled_matmul_type_t type) {
  (void)bert_scale, (void)weightA, (void)type;
  if (!dim_I || !dim_J || !dim_K) {
    fprintf(stderr, "a product without elements\n");
    abort();
  }
  for (size_t i = 0; i < dim_I; i++)
    for (size_t j = 0; j < dim_J; j++) {
      const size_t d = (repeating_bias ? 0 : i) * stride_D + j;
      uint32_t sum = 0;
      if (D)
        sum = (uint32_t)(low_D ? model_clamped(((const elem_t *)D)[d] * D_scale)
                               : (acc_t)(((const acc_t *)D)[d] * (double)D_scale));
      for (size_t k = 0; k < dim_K; k++) {
        const elem_t a = A[transpose_A ? k * stride_A + i : i * stride_A + k],
                     b = B[transpose_B ? j * stride_B + k : k * stride_B + j];
        sum += (uint32_t)(model_clamped(a * A_scale) * model_clamped(b * B_scale));
      }
      acc_t out = (acc_t)sum;
      if (act == RELU && out < 0) out = 0;
      if (full_C)
        ((acc_t *)C)[i * stride_C + j] = out;
      else
        ((elem_t *)C)[i * stride_C + j] = (elem_t)model_clamped(out * (double)scale);
    }
}
#endif

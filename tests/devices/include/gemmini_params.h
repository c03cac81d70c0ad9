/* An executable model of Gemmini's parameters: 8-bit elements, 32-bit accumulators. */
#ifndef GEMMINI_PARAMS_H
#define GEMMINI_PARAMS_H
#include <stdint.h>
#define DIM 16
typedef int8_t elem_t;
typedef int32_t acc_t;
typedef float scale_t;
typedef float scale_acc_t;
typedef float acc_scale_t;
#define MVIN_SCALE_IDENTITY 1.0f
#define ACC_SCALE_IDENTITY 1.0f
#endif

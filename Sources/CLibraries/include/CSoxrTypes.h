// SPDX-License-Identifier: Apache-2.0
// Declarations of the part of libsoxr's interface in use, so that building does not require its
// headers.
#ifndef CSOXR_TYPES_H
#define CSOXR_TYPES_H

#include <stddef.h>

typedef struct soxr *soxr_t;
typedef const char *soxr_error_t;
typedef const void *soxr_in_t;
typedef void *soxr_out_t;

typedef enum { SOXR_FLOAT32_I = 0, SOXR_FLOAT64_I = 1, SOXR_INT32_I = 2, SOXR_INT16_I = 3 } soxr_datatype_t;

typedef struct soxr_io_spec {
  soxr_datatype_t itype, otype;
  double scale;
  void *e;
  unsigned long flags;
} soxr_io_spec_t;

typedef struct soxr_quality_spec {
  double precision, phase_response, passband_end, stopband_begin;
  void *e;
  unsigned long flags;
} soxr_quality_spec_t;

typedef struct soxr_runtime_spec {
  unsigned log2_min_dft_size, log2_large_dft_size, coef_size_kbytes, num_threads;
  void *e;
  unsigned long flags;
} soxr_runtime_spec_t;

#define SOXR_MQ 2
#define SOXR_20_BITQ 4
#define SOXR_28_BITQ 6
#define SOXR_ROLLOFF_NONE 2u

#endif

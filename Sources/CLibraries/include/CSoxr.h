// SPDX-License-Identifier: Apache-2.0
// The functions of libsoxr in use.
//
// The library is opened on first use: it loads libgomp, and most programs never change a sample
// rate.
#ifndef CSOXR_H
#define CSOXR_H

#include "CSoxrTypes.h"

#define CSOXR_FUNCTIONS(f)                                                                        \
  f(soxr_t, create,                                                                               \
    (double input_rate, double output_rate, unsigned channels, soxr_error_t *,                    \
     const soxr_io_spec_t *, const soxr_quality_spec_t *, const soxr_runtime_spec_t *))           \
  f(soxr_error_t, process,                                                                        \
    (soxr_t, soxr_in_t, size_t, size_t *taken, soxr_out_t, size_t, size_t *made))                 \
  f(void, delete, (soxr_t))                                                                       \
  f(soxr_io_spec_t, io_spec, (soxr_datatype_t input, soxr_datatype_t output))                     \
  f(soxr_quality_spec_t, quality_spec, (unsigned long recipe, unsigned long flags))               \
  f(soxr_runtime_spec_t, runtime_spec, (unsigned threads))                                        \
  f(const char *, version, (void))

typedef struct {
#define CSOXR_FIELD(type, name, arguments) type(*name) arguments;
  CSOXR_FUNCTIONS(CSOXR_FIELD)
#undef CSOXR_FIELD
} CSoxrTable;

/// Opens the library on the first call, on any thread, and returns its functions; null if it is
/// missing.
const CSoxrTable *csoxr_table(void);

#endif

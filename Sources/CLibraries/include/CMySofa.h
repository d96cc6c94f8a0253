// SPDX-License-Identifier: Apache-2.0
// The functions of libmysofa 1.0 or later in use.
//
// The library is opened on first use, because only SOFA files require it.
#ifndef CMYSOFA_H
#define CMYSOFA_H

#include "CMySofaTypes.h"

#define CMYSOFA_FUNCTIONS(f)                                                                      \
  f(struct MYSOFA_EASY *, open,                                                                   \
    (const char *path, float rate, int *tap_count, int *error))                                   \
  f(void, close, (struct MYSOFA_EASY *))                                                          \
  f(void, getfilter_float,                                                                        \
    (struct MYSOFA_EASY *, float x, float y, float z, float *left, float *right,                  \
     float *left_delay, float *right_delay))

typedef struct {
#define CMYSOFA_FIELD(type, name, arguments) type(*name) arguments;
  CMYSOFA_FUNCTIONS(CMYSOFA_FIELD)
#undef CMYSOFA_FIELD
} CMySofaTable;

/// Opens the library on the first call, on any thread, and returns its functions; null if it is
/// missing.
const CMySofaTable *cmysofa_table(void);

/// The loader's message if the library could not be opened.
const char *cmysofa_missing(void);

#endif

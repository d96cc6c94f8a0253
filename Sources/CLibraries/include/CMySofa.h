// SPDX-License-Identifier: Apache-2.0
// A table of the functions of libmysofa, from version 1.0 on, that are used.
//
// The library is opened on first use: only who reads a SOFA file needs it.
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

/// Opens the library once; any thread may ask. Returns null where it is missing.
const CMySofaTable *cmysofa_table(void);

/// What is missing, in the loader's own words.
const char *cmysofa_missing(void);

#endif

// SPDX-License-Identifier: Apache-2.0
// libsoxr's own declarations, and a table of the functions that are used.
//
// The library is opened on first use: it brings libgomp with it, and most programs never change a
// rate.
#ifndef CSOXR_H
#define CSOXR_H

#include <soxr.h>

#define CSOXR_FUNCTIONS(f) \
  f(create) f(process) f(delete) f(io_spec) f(quality_spec) f(runtime_spec) f(version)

typedef struct {
#define CSOXR_FIELD(name) __typeof__(&soxr_##name) name;
  CSOXR_FUNCTIONS(CSOXR_FIELD)
#undef CSOXR_FIELD
} CSoxrTable;

/// Opens the library once; any thread may ask. Returns null where it is missing.
const CSoxrTable *csoxr_table(void);

#endif

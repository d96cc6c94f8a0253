// SPDX-License-Identifier: Apache-2.0
// libsndfile's own declarations, and a table of the functions that are used.
//
// The library is opened on first use: linking it would load ten shared libraries, 0.5 ms, at
// every start of a program that may never touch a sound file.
#ifndef CSNDFILE_H
#define CSNDFILE_H

#include <sndfile.h>
#include <stdbool.h>

#define CSNDFILE_FUNCTIONS(f)                                                                     \
  f(open_virtual) f(close) f(command) f(error) f(strerror) f(format_check) f(seek)                \
  f(writef_float) f(writef_double) f(writef_int) f(readf_float) f(readf_double) f(readf_int)      \
  f(readf_short) f(get_string) f(set_string) f(version_string)

typedef struct {
#define CSNDFILE_FIELD(name) __typeof__(&sf_##name) name;
  CSNDFILE_FUNCTIONS(CSNDFILE_FIELD)
#undef CSNDFILE_FIELD
} CSndFileTable;

/// Opens the library once; any thread may ask. Returns null where it is missing.
const CSndFileTable *csndfile_table(void);

/// Why the library could not be opened: the loader's own words.
const char *csndfile_missing(void);

#endif

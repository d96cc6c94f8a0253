// SPDX-License-Identifier: Apache-2.0
// The functions of libsndfile in use.
//
// The library is opened on first use: linking it would load ten shared libraries, 0.5 ms, at every
// start of a program that may never use a sound file.
#ifndef CSNDFILE_H
#define CSNDFILE_H

#include "CSndFileTypes.h"

#define CSNDFILE_FUNCTIONS(f)                                                                     \
  f(SNDFILE *, open_virtual, (SF_VIRTUAL_IO *, int mode, SF_INFO *, void *context))               \
  f(int, close, (SNDFILE *))                                                                      \
  f(int, command, (SNDFILE *, int command, void *data, int size))                                 \
  f(int, error, (SNDFILE *))                                                                      \
  f(const char *, strerror, (SNDFILE *))                                                          \
  f(int, format_check, (const SF_INFO *))                                                         \
  f(sf_count_t, seek, (SNDFILE *, sf_count_t frames, int whence))                                 \
  f(sf_count_t, writef_float, (SNDFILE *, const float *, sf_count_t frames))                      \
  f(sf_count_t, writef_double, (SNDFILE *, const double *, sf_count_t frames))                    \
  f(sf_count_t, writef_int, (SNDFILE *, const int *, sf_count_t frames))                          \
  f(sf_count_t, readf_float, (SNDFILE *, float *, sf_count_t frames))                             \
  f(sf_count_t, readf_double, (SNDFILE *, double *, sf_count_t frames))                           \
  f(sf_count_t, readf_int, (SNDFILE *, int *, sf_count_t frames))                                 \
  f(sf_count_t, readf_short, (SNDFILE *, short *, sf_count_t frames))                             \
  f(const char *, get_string, (SNDFILE *, int kind))                                              \
  f(int, set_string, (SNDFILE *, int kind, const char *))                                         \
  f(const char *, version_string, (void))

typedef struct {
#define CSNDFILE_FIELD(type, name, arguments) type(*name) arguments;
  CSNDFILE_FUNCTIONS(CSNDFILE_FIELD)
#undef CSNDFILE_FIELD
} CSndFileTable;

/// Opens the library on the first call, on any thread, and returns its functions; null if it is
/// missing.
const CSndFileTable *csndfile_table(void);

/// The loader's message if the library could not be opened.
const char *csndfile_missing(void);

#endif

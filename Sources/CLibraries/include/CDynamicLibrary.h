// SPDX-License-Identifier: Apache-2.0
// A shared library opened when it is first needed, and what of it is missing.
#ifndef CDYNAMICLIBRARY_H
#define CDYNAMICLIBRARY_H

#include <stdbool.h>

typedef struct {
  void *handle;
  /// Whether the library was opened and each function asked for was found.
  bool complete;
  /// What was missing first: the loader's own words.
  char missing[256];
} CDynamicLibrary;

/// Opens a library by its soname.
void cdynamiclibrary_open(CDynamicLibrary *library, const char *name);

/// Finds a function; null where it is missing.
void *cdynamiclibrary_find(CDynamicLibrary *library, const char *name);

#endif

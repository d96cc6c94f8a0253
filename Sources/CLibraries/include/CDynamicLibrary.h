// SPDX-License-Identifier: Apache-2.0
// A shared library that is opened on first use, and the first error.
#ifndef CDYNAMICLIBRARY_H
#define CDYNAMICLIBRARY_H

#include <stdbool.h>

typedef struct {
  void *handle;
  /// True if the library was opened and every requested function was found.
  bool complete;
  /// The loader's error message for the first missing item.
  char missing[256];
} CDynamicLibrary;

/// Opens a library by its soname.
void cdynamiclibrary_open(CDynamicLibrary *library, const char *name);

/// Finds a function; null if it is missing.
void *cdynamiclibrary_find(CDynamicLibrary *library, const char *name);

#endif

// SPDX-License-Identifier: Apache-2.0
// Loads a table of functions at its first use. The file that includes this defines
// DYNAMICTABLE_PREFIX, the string with which the name of each function begins.
#ifndef DYNAMICTABLE_H
#define DYNAMICTABLE_H

#include <CDynamicLibrary.h>
#include <pthread.h>

/// Finds one function of `table` in `library`.
#define DYNAMICTABLE_FIND(type, name, arguments) \
  table.name = (__typeof__(table.name))cdynamiclibrary_find(&library, DYNAMICTABLE_PREFIX #name);

/// Defines `name`, which returns the table, or null if the library `soname` or one of `functions` is
/// missing.
#define DYNAMICTABLE(Table, functions, name, soname) \
  static pthread_once_t once = PTHREAD_ONCE_INIT; \
  static Table table; \
  static CDynamicLibrary library; \
  static void load(void) { \
    cdynamiclibrary_open(&library, soname); \
    functions(DYNAMICTABLE_FIND) \
  } \
  const Table *name(void) { \
    pthread_once(&once, load); \
    return library.complete ? &table : 0; \
  }

#endif

// SPDX-License-Identifier: Apache-2.0
#include "CDynamicLibrary.h"

#include <dlfcn.h>
#include <stdio.h>

static void *required(CDynamicLibrary *library, void *found) {
  if (!found && library->complete) {
    library->complete = false;
    snprintf(library->missing, sizeof library->missing, "%s", dlerror());
  }
  return found;
}

void cdynamiclibrary_open(CDynamicLibrary *library, const char *name) {
  library->complete = true;
  library->handle = required(library, dlopen(name, RTLD_NOW | RTLD_LOCAL));
}

void *cdynamiclibrary_find(CDynamicLibrary *library, const char *name) {
  return library->handle ? required(library, dlsym(library->handle, name)) : 0;
}

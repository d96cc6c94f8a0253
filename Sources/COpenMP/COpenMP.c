// SPDX-License-Identifier: Apache-2.0
#include "COpenMP.h"

#include <dlfcn.h>
#include <pthread.h>

typedef void parallel(void (*)(void *), void *, unsigned, unsigned);

static pthread_once_t once = PTHREAD_ONCE_INIT;
static parallel *runtime;

// Whoever calls has loaded the runtime, perhaps out of sight of the global scope.
static void find(void) {
  void *library = dlopen("libgomp.so.1", RTLD_LAZY | RTLD_NOLOAD);
  if (library) *(void **)&runtime = dlsym(library, "GOMP_parallel");
}

__attribute__((used, retain, visibility("default"))) void GOMP_parallel(
    void (*region)(void *), void *data, unsigned threads, unsigned flags) {
  if (threads != 1) pthread_once(&once, find);
  if (threads != 1 && runtime) {
    runtime(region, data, threads, flags);
  } else {
    // A region must be right with one thread: it asks how many there are.
    region(data);
  }
}

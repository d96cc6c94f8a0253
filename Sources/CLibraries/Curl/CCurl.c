// SPDX-License-Identifier: Apache-2.0
#include "CCurl.h"

#include <CDynamicLibrary.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static CCurlTable table;
static CDynamicLibrary library;

static void load_from(const char *name) {
  cdynamiclibrary_open(&library, name);
#define CCURL_FIND(type, name, arguments) \
  table.name = (__typeof__(table.name))cdynamiclibrary_find(&library, "curl_" #name);
  CCURL_FUNCTIONS(CCURL_FIND)
#undef CCURL_FIND
}

static void load(void) {
  load_from("libcurl.so.4");
  // Debian's other build of the same library.
  if (!library.complete) load_from("libcurl-gnutls.so.4");
  if (library.complete) library.complete = table.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

const CCurlTable *ccurl_table(void) {
  pthread_once(&once, load);
  return library.complete ? &table : 0;
}

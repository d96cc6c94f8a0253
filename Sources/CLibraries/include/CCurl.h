// SPDX-License-Identifier: Apache-2.0
// The functions of libcurl 7.68 or later in use.
//
// The library is opened on first use, because few runs of a program download anything.
#ifndef CCURL_H
#define CCURL_H

#include "CCurlTypes.h"

#define CCURL_FUNCTIONS(f)                                                                         \
  f(CURLcode, global_init, (long flags))                                                          \
  f(char *, version, (void))                                                                      \
  f(CURL *, easy_init, (void))                                                                    \
  f(CURLcode, easy_setopt, (CURL *, CURLoption, ...))                                             \
  f(CURLcode, easy_pause, (CURL *, int mask))                                                     \
  f(void, easy_cleanup, (CURL *))                                                                 \
  f(const char *, easy_strerror, (CURLcode))                                                      \
  f(CURLM *, multi_init, (void))                                                                  \
  f(CURLMcode, multi_add_handle, (CURLM *, CURL *))                                               \
  f(CURLMcode, multi_remove_handle, (CURLM *, CURL *))                                            \
  f(CURLMcode, multi_perform, (CURLM *, int *running))                                            \
  f(CURLMcode, multi_poll,                                                                        \
    (CURLM *, struct curl_waitfd *, unsigned count, int milliseconds, int *ready))                \
  f(CURLMcode, multi_wakeup, (CURLM *))                                                           \
  f(CURLMsg *, multi_info_read, (CURLM *, int *left))                                             \
  f(CURLMcode, multi_cleanup, (CURLM *))                                                          \
  f(struct curl_slist *, slist_append, (struct curl_slist *, const char *))                       \
  f(void, slist_free_all, (struct curl_slist *))

typedef struct {
#define CCURL_FIELD(type, name, arguments) type(*name) arguments;
  CCURL_FUNCTIONS(CCURL_FIELD)
#undef CCURL_FIELD
} CCurlTable;

/// Opens the library on the first call, on any thread, and returns its functions; null if it is
/// missing or too old.
const CCurlTable *ccurl_table(void);

/// Receives bytes of a body, or one header line, and returns the number accepted.
typedef size_t (*CCurlTaker)(char *bytes, size_t one, size_t count, void *context);

// Swift cannot call C functions with variable arguments.

static inline CURLcode ccurl_set_number(
    const CCurlTable *table, CURL *transfer, CURLoption option, long value) {
  return table->easy_setopt(transfer, option, value);
}

static inline CURLcode ccurl_set_text(
    const CCurlTable *table, CURL *transfer, CURLoption option, const char *value) {
  return table->easy_setopt(transfer, option, value);
}

static inline CURLcode ccurl_set_pointer(
    const CCurlTable *table, CURL *transfer, CURLoption option, void *value) {
  return table->easy_setopt(transfer, option, value);
}

static inline CURLcode ccurl_set_taker(
    const CCurlTable *table, CURL *transfer, CURLoption option, CCurlTaker taker) {
  return table->easy_setopt(transfer, option, taker);
}

/// Returns the result of a finished transfer; −1 if none has finished.
static inline int ccurl_result(const CCurlTable *table, CURLM *transfers) {
  int left;
  const CURLMsg *message = table->multi_info_read(transfers, &left);
  return message && message->msg == CURLMSG_DONE ? (int)message->data.result : -1;
}

#endif

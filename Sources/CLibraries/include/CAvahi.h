// SPDX-License-Identifier: Apache-2.0
// The functions of Avahi's client library in use.
//
// The library is opened on first use: most runs of a program do not search the network, and some
// systems lack the library.
#ifndef CAVAHI_H
#define CAVAHI_H

#include "CAvahiTypes.h"

#define CAVAHI_FUNCTIONS(f)                                                                       \
  f(AvahiSimplePoll *, simple_poll_new, (void))                                                   \
  f(void, simple_poll_free, (AvahiSimplePoll *))                                                  \
  f(const AvahiPoll *, simple_poll_get, (AvahiSimplePoll *))                                      \
  f(int, simple_poll_prepare, (AvahiSimplePoll *, int milliseconds))                              \
  f(int, simple_poll_run, (AvahiSimplePoll *))                                                    \
  f(int, simple_poll_dispatch, (AvahiSimplePoll *))                                               \
  f(void, simple_poll_wakeup, (AvahiSimplePoll *))                                                \
  f(AvahiClient *, client_new,                                                                    \
    (const AvahiPoll *, AvahiClientFlags, AvahiClientCallback, void *, int *error))               \
  f(void, client_free, (AvahiClient *))                                                           \
  f(AvahiEntryGroup *, entry_group_new, (AvahiClient *, AvahiEntryGroupCallback, void *))         \
  f(int, entry_group_free, (AvahiEntryGroup *))                                                   \
  f(int, entry_group_commit, (AvahiEntryGroup *))                                                 \
  f(int, entry_group_reset, (AvahiEntryGroup *))                                                  \
  f(int, entry_group_add_service_strlst,                                                          \
    (AvahiEntryGroup *, AvahiIfIndex, AvahiProtocol, AvahiPublishFlags, const char *name,         \
     const char *type, const char *domain, const char *host, uint16_t port, AvahiStringList *))   \
  f(AvahiServiceBrowser *, service_browser_new,                                                   \
    (AvahiClient *, AvahiIfIndex, AvahiProtocol, const char *type, const char *domain,            \
     AvahiLookupFlags, AvahiServiceBrowserCallback, void *))                                      \
  f(AvahiServiceResolver *, service_resolver_new,                                                 \
    (AvahiClient *, AvahiIfIndex, AvahiProtocol, const char *name, const char *type,              \
     const char *domain, AvahiProtocol wanted, AvahiLookupFlags, AvahiServiceResolverCallback,    \
     void *))                                                                                     \
  f(int, service_resolver_free, (AvahiServiceResolver *))                                         \
  f(char *, alternative_service_name, (const char *))                                             \
  f(void, free, (void *))

typedef struct {
#define CAVAHI_FIELD(type, name, arguments) type(*name) arguments;
  CAVAHI_FUNCTIONS(CAVAHI_FIELD)
#undef CAVAHI_FIELD
} CAvahiTable;

/// Opens the library on the first call, on any thread, and returns its functions; null if it is
/// missing.
const CAvahiTable *cavahi_table(void);

#endif

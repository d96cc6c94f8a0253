// SPDX-License-Identifier: Apache-2.0
// Declarations of the part of Avahi's interface in use, so that building does not require its
// headers.
#ifndef CAVAHI_TYPES_H
#define CAVAHI_TYPES_H

#include <stdint.h>

typedef struct AvahiSimplePoll AvahiSimplePoll;
typedef struct AvahiPoll AvahiPoll;
typedef struct AvahiClient AvahiClient;
typedef struct AvahiEntryGroup AvahiEntryGroup;
typedef struct AvahiServiceBrowser AvahiServiceBrowser;
typedef struct AvahiServiceResolver AvahiServiceResolver;
typedef struct AvahiStringList AvahiStringList;

typedef int AvahiProtocol;
typedef int AvahiIfIndex;

enum { AVAHI_PROTO_INET = 0, AVAHI_PROTO_INET6 = 1, AVAHI_PROTO_UNSPEC = -1 };
enum { AVAHI_IF_UNSPEC = -1 };
enum { AVAHI_ERR_COLLISION = -8 };

typedef enum {
  AVAHI_CLIENT_S_REGISTERING = 1,
  AVAHI_CLIENT_S_RUNNING = 2,
  AVAHI_CLIENT_S_COLLISION = 3,
  AVAHI_CLIENT_FAILURE = 100,
  AVAHI_CLIENT_CONNECTING = 101
} AvahiClientState;

typedef enum { AVAHI_CLIENT_NO_FAIL = 2 } AvahiClientFlags;

typedef enum {
  AVAHI_ENTRY_GROUP_UNCOMMITED = 0,
  AVAHI_ENTRY_GROUP_REGISTERING = 1,
  AVAHI_ENTRY_GROUP_ESTABLISHED = 2,
  AVAHI_ENTRY_GROUP_COLLISION = 3,
  AVAHI_ENTRY_GROUP_FAILURE = 4
} AvahiEntryGroupState;

typedef enum {
  AVAHI_BROWSER_NEW = 0,
  AVAHI_BROWSER_REMOVE = 1,
  AVAHI_BROWSER_CACHE_EXHAUSTED = 2,
  AVAHI_BROWSER_ALL_FOR_NOW = 3,
  AVAHI_BROWSER_FAILURE = 4
} AvahiBrowserEvent;

typedef enum { AVAHI_RESOLVER_FOUND = 0, AVAHI_RESOLVER_FAILURE = 1 } AvahiResolverEvent;

typedef enum { AVAHI_LOOKUP_RESULT_OUR_OWN = 16 } AvahiLookupResultFlags;
typedef enum { AVAHI_LOOKUP_USE_MULTICAST = 2 } AvahiLookupFlags;
typedef enum { AVAHI_PUBLISH_UNIQUE = 1 } AvahiPublishFlags;

typedef struct {
  uint32_t address;
} AvahiIPv4Address;

typedef struct {
  uint8_t address[16];
} AvahiIPv6Address;

typedef struct AvahiAddress {
  AvahiProtocol proto;
  union {
    AvahiIPv6Address ipv6;
    AvahiIPv4Address ipv4;
    uint8_t data[1];
  } data;
} AvahiAddress;

typedef void (*AvahiClientCallback)(AvahiClient *, AvahiClientState, void *);
typedef void (*AvahiEntryGroupCallback)(AvahiEntryGroup *, AvahiEntryGroupState, void *);
typedef void (*AvahiServiceBrowserCallback)(
    AvahiServiceBrowser *, AvahiIfIndex, AvahiProtocol, AvahiBrowserEvent, const char *name,
    const char *type, const char *domain, AvahiLookupResultFlags, void *);
typedef void (*AvahiServiceResolverCallback)(
    AvahiServiceResolver *, AvahiIfIndex, AvahiProtocol, AvahiResolverEvent, const char *name,
    const char *type, const char *domain, const char *host, const AvahiAddress *, uint16_t port,
    AvahiStringList *, AvahiLookupResultFlags, void *);

#endif

// SPDX-License-Identifier: Apache-2.0
// The functions of sd-bus in use.
//
// The library is opened on first use: most runs of a program never use the session bus, and some
// systems lack the library.
#ifndef CSYSTEMDBUS_H
#define CSYSTEMDBUS_H

#include "CSystemdBusTypes.h"

#define CSYSTEMDBUS_FUNCTIONS(f)                                                                  \
  f(int, open_user, (sd_bus **))                                                                  \
  f(int, open_system, (sd_bus **))                                                                \
  f(sd_bus *, close_unref, (sd_bus *))                                                            \
  f(int, get_fd, (sd_bus *))                                                                      \
  f(int, process, (sd_bus *, sd_bus_message **))                                                  \
  f(int, send, (sd_bus *, sd_bus_message *, uint64_t *cookie))                                    \
  f(int, call,                                                                                    \
    (sd_bus *, sd_bus_message *, uint64_t microseconds, sd_bus_error *, sd_bus_message **answer)) \
  f(int, message_new_method_call,                                                                 \
    (sd_bus *, sd_bus_message **, const char *destination, const char *path,                      \
     const char *interface, const char *member))                                                  \
  f(int, message_new_method_return, (sd_bus_message *call, sd_bus_message **))                    \
  f(int, message_new_method_error,                                                                \
    (sd_bus_message *call, sd_bus_message **, const sd_bus_error *))                              \
  f(int, message_new_signal,                                                                      \
    (sd_bus *, sd_bus_message **, const char *path, const char *interface, const char *member))   \
  f(sd_bus_message *, message_unref, (sd_bus_message *))                                          \
  f(int, message_append_basic, (sd_bus_message *, char type, const void *))                       \
  f(int, message_open_container, (sd_bus_message *, char type, const char *contents))             \
  f(int, message_close_container, (sd_bus_message *))                                             \
  f(int, message_enter_container, (sd_bus_message *, char type, const char *contents))            \
  f(int, message_exit_container, (sd_bus_message *))                                              \
  f(int, message_peek_type, (sd_bus_message *, char *type, const char **contents))                \
  f(int, message_read_basic, (sd_bus_message *, char type, void *))                               \
  f(int, message_skip, (sd_bus_message *, const char *types))                                     \
  f(int, message_get_type, (sd_bus_message *, uint8_t *type))                                     \
  f(const char *, message_get_path, (sd_bus_message *))                                           \
  f(const char *, message_get_interface, (sd_bus_message *))                                      \
  f(const char *, message_get_member, (sd_bus_message *))                                         \
  f(int, message_get_expect_reply, (sd_bus_message *))                                            \
  f(int, message_get_reply_cookie, (sd_bus_message *, uint64_t *cookie))

typedef struct {
#define CSYSTEMDBUS_FIELD(type, name, arguments) type(*name) arguments;
  CSYSTEMDBUS_FUNCTIONS(CSYSTEMDBUS_FIELD)
#undef CSYSTEMDBUS_FIELD
} CSystemdBusTable;

/// Opens the library of systemd, elogind or basu on the first call, on any thread, and returns its
/// functions; null if it is missing.
const CSystemdBusTable *csystemdbus_table(void);

#endif

// SPDX-License-Identifier: Apache-2.0
// sd-bus's own declarations, and a table of the functions that are used.
//
// The library is opened on first use: most runs of a program never speak to a session's bus, and
// not every system has it.
#ifndef CSYSTEMDBUS_H
#define CSYSTEMDBUS_H

#include <systemd/sd-bus.h>

#define CSYSTEMDBUS_FUNCTIONS(f)                                                                  \
  f(open_user) f(close_unref) f(get_fd) f(process) f(send)                                        \
  f(message_new_method_call) f(message_new_method_return) f(message_new_method_error)             \
  f(message_new_signal) f(message_unref) f(message_append_basic) f(message_open_container)        \
  f(message_close_container) f(message_enter_container) f(message_exit_container)                 \
  f(message_peek_type) f(message_read_basic) f(message_skip) f(message_get_type)                  \
  f(message_get_path) f(message_get_interface) f(message_get_member)                              \
  f(message_get_expect_reply) f(message_get_reply_cookie)

typedef struct {
#define CSYSTEMDBUS_FIELD(name) __typeof__(&sd_bus_##name) name;
  CSYSTEMDBUS_FUNCTIONS(CSYSTEMDBUS_FIELD)
#undef CSYSTEMDBUS_FIELD
} CSystemdBusTable;

/// Opens the library once, by the name that systemd, elogind or basu gives it; any thread may ask.
/// Returns null where it is missing.
const CSystemdBusTable *csystemdbus_table(void);

#endif

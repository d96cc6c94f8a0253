// SPDX-License-Identifier: Apache-2.0
// What of sd-bus's interface is used, in declarations of our own: building needs no header of it.
#ifndef CSYSTEMDBUS_TYPES_H
#define CSYSTEMDBUS_TYPES_H

#include <stdint.h>

typedef struct sd_bus sd_bus;
typedef struct sd_bus_message sd_bus_message;

typedef struct {
  const char *name;
  const char *message;
  int _need_free;
} sd_bus_error;

#endif

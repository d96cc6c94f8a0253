// SPDX-License-Identifier: Apache-2.0
// Declarations of the part of sd-bus's interface in use, so that building does not require its
// headers.
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

// SPDX-License-Identifier: Apache-2.0
// What the files of this target share about calls of plug-ins.
#ifndef CLILV_CALLS_H
#define CLILV_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "CLilv.h"

/// The process that `clilv_arm` was called in; 0 before that.
extern pid_t clilv_owner;

/// Reports a fault of a plug-in in one line; a signal's handler may call it.
void clilv_report(const char *uri, const char *fault, const char *cause);

/// Reports a line.
void clilv_report_line(const char *line);

/// A function of the C library and what stands in for it.
typedef struct {
  const char *name;
  void *counterpart;
} CLilvCounterpart;

/// Directs the references of all loaded libraries to functions to their counterparts. The program's own
/// references stay.
void clilv_redirect(const CLilvCounterpart *functions, size_t count);

#endif

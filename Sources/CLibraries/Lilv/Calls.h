// SPDX-License-Identifier: Apache-2.0
// Declarations about calls of plug-ins, shared by the files of this target.
#ifndef CLILV_CALLS_H
#define CLILV_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "CLilv.h"

/// The process in which `clilv_arm` was called; 0 before that.
extern pid_t clilv_owner;

/// Reports a fault of a plug-in in one line; signal handlers may call it.
void clilv_report(const char *uri, const char *fault, const char *cause);

/// Reports a line.
void clilv_report_line(const char *line);

/// A function of the C library and its replacement.
typedef struct {
  const char *name;
  void *counterpart;
} CLilvCounterpart;

/// Redirects the references of all loaded libraries from functions to their replacements; the
/// program's references stay.
void clilv_redirect(const CLilvCounterpart *functions, size_t count);

#endif

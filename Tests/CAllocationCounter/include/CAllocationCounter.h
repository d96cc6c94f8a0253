// SPDX-License-Identifier: Apache-2.0
// Counts allocations, releases and locks of a thread between two calls, also in Swift's runtime and
// in every shared library; `peak` is the largest amount of allocated memory, in bytes.
//
// If the real-time sanitizer is linked, the process ends with a stack trace when the thread waits
// or makes a system call meanwhile.
#ifndef CALLOCATIONCOUNTER_H
#define CALLOCATIONCOUNTER_H

#include <stdbool.h>

typedef struct {
  long allocations;
  long frees;
  long locks;
  long peak;
} CAllocationCounts;

/// Starts counting on the calling thread.
void callocationcounter_begin(void);

/// Ends the counting on the calling thread and returns the counts.
CAllocationCounts callocationcounter_end(void);

/// Returns true if counting is possible: not under a sanitizer, which replaces the allocator.
bool callocationcounter_works(void);

/// Makes the allocator keep freed memory until the process ends, so that measured times do not
/// include the clearing of pages by the kernel, which happens for large memory only.
void callocationcounter_keep_memory(void);

/// Returns true if the real-time sanitizer is linked.
bool callocationcounter_is_sanitized(void);

#endif

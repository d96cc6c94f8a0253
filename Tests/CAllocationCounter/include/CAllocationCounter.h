// SPDX-License-Identifier: Apache-2.0
// Counts what a thread allocates, frees and locks between two calls, in Swift's runtime and in
// every shared library as well; `peak` is the most bytes that it held at once of what it allocated.
//
// Where the real-time sanitizer is linked, the process ends with a stack of calls when the thread
// waits or asks something of the kernel meanwhile.
#ifndef CALLOCATIONCOUNTER_H
#define CALLOCATIONCOUNTER_H

#include <stdbool.h>

typedef struct {
  long allocations;
  long frees;
  long locks;
  long peak;
} CAllocationCounts;

/// Begins to count on the calling thread.
void callocationcounter_begin(void);

/// Ends the counting on the calling thread and returns the counts.
CAllocationCounts callocationcounter_end(void);

/// Whether anything can be counted: not under a sanitizer, which has allocators of its own.
bool callocationcounter_works(void);

/// Has the allocator keep what is freed, for as long as the process runs: so that pages which the
/// kernel clears anew for large memory, and not for small, are no part of what is timed.
void callocationcounter_keep_memory(void);

/// Whether the real-time sanitizer is linked.
bool callocationcounter_is_sanitized(void);

#endif

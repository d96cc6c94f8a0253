// SPDX-License-Identifier: Apache-2.0
// The unfinished calls of plug-ins, and the interception of `exit` in plug-ins.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "Calls.h"

_Thread_local const char *volatile clilv_running;
pid_t clilv_owner;

// More threads than are ever in plug-ins at once; further calls are not listed.
enum { place_count = 128 };
static struct {
  const char *uri;
  const char *function;
  unsigned long number;
} places[place_count];
static unsigned long last_number;
static _Thread_local int hint __attribute__((tls_model("initial-exec")));

CLilvCall clilv_enter(const char *uri, const char *function) {
  CLilvCall call = {clilv_running, -1};
  clilv_running = uri;
  for (int step = 0; step < place_count; step++) {
    int place = (hint + step) % place_count;
    const char *none = NULL;
    if (!__atomic_compare_exchange_n(&places[place].uri, &none, uri, false, __ATOMIC_ACQUIRE,
                                     __ATOMIC_RELAXED))
      continue;
    __atomic_store_n(&places[place].function, function, __ATOMIC_RELAXED);
    __atomic_store_n(&places[place].number,
                     __atomic_add_fetch(&last_number, 1, __ATOMIC_RELAXED), __ATOMIC_RELEASE);
    call.place = hint = place;
    break;
  }
  return call;
}

void clilv_leave(CLilvCall call) {
  if (call.place >= 0) {
    __atomic_store_n(&places[call.place].number, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&places[call.place].uri, NULL, __ATOMIC_RELEASE);
  }
  clilv_running = call.outer;
}

int clilv_open_calls(CLilvOpenCall *calls, int room) {
  int count = 0;
  for (int place = 0; place < place_count && count < room; place++) {
    CLilvOpenCall call = {.number = __atomic_load_n(&places[place].number, __ATOMIC_ACQUIRE)};
    call.uri = __atomic_load_n(&places[place].uri, __ATOMIC_ACQUIRE);
    call.function = __atomic_load_n(&places[place].function, __ATOMIC_RELAXED);
    // Another call may have reused the place during the read.
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    const bool is_same = call.number == __atomic_load_n(&places[place].number, __ATOMIC_RELAXED);
    if (call.number && call.uri && call.function && is_same) calls[count++] = call;
  }
  return count;
}

static bool may_exit;
static bool is_ending;
static void (*before_exit)(void);

void clilv_allow_exit(void) { __atomic_store_n(&may_exit, true, __ATOMIC_RELEASE); }

void clilv_before_exit(void (*function)(void)) {
  __atomic_store_n(&before_exit, function, __ATOMIC_RELEASE);
}

// Returns true if a library's request to end the process is refused; a child forked by a plug-in
// may end.
static bool is_refused(bool everywhere) {
  if (!clilv_owner || getpid() != clilv_owner || __atomic_load_n(&may_exit, __ATOMIC_ACQUIRE))
    return false;
  return clilv_running || everywhere;
}

static _Noreturn void end(void) {
  // If another thread is already ending the program, wait for it.
  while (__atomic_exchange_n(&is_ending, true, __ATOMIC_ACQ_REL)) pause();
  const char *running = clilv_running;
  if (running)
    clilv_report(running, "has ended the program", "");
  else
    clilv_report_line("a library has ended the program before its work was done");
  void (*function)(void) = __atomic_load_n(&before_exit, __ATOMIC_ACQUIRE);
  if (function) function();
  _exit(clilv_exit_status);
}

static void guarded_exit(int status) {
  if (is_refused(false)) end();
  exit(status);
}

static void guarded__exit(int status) {
  if (is_refused(true)) end();
  _exit(status);
}

static void guarded_quick_exit(int status) {
  if (is_refused(true)) end();
  quick_exit(status);
}

static void guarded_pthread_exit(void *result) {
  if (is_refused(false)) end();
  pthread_exit(result);
}

void clilv_guard_exits(void) {
  static const CLilvCounterpart functions[] = {
    {"exit", (void *)guarded_exit},
    {"_exit", (void *)guarded__exit},
    {"_Exit", (void *)guarded__exit},
    {"quick_exit", (void *)guarded_quick_exit},
    {"pthread_exit", (void *)guarded_pthread_exit},
  };
  clilv_redirect(functions, sizeof functions / sizeof *functions);
}

void clilv_end_with_parent(void) { prctl(PR_SET_PDEATHSIG, SIGKILL); }

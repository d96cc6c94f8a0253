// SPDX-License-Identifier: Apache-2.0
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "Calls.h"

static const struct {
  int number;
  const char *words;
} signals[] = {
  {SIGSEGV, "it accessed invalid memory"},
  {SIGBUS, "it accessed invalid memory"},
  {SIGFPE, "it divided by zero"},
  {SIGILL, "it executed an invalid instruction"},
  {SIGTRAP, "it hit a trap"},
  {SIGABRT, "it called abort"},
};
enum { signal_count = sizeof signals / sizeof *signals };
static struct sigaction before[signal_count];
static char name[64];
static int file = 2;

void clilv_report_to(int number) { __atomic_store_n(&file, number, __ATOMIC_RELAXED); }

// Only `write`, `sigaction` and `raise` are called, because these are allowed in a signal handler.
static void write_all(const char *text) {
  for (size_t left = strlen(text); left > 0;) {
    ssize_t done = write(__atomic_load_n(&file, __ATOMIC_RELAXED), text, left);
    if (done <= 0) return;
    text += done;
    left -= done;
  }
}

void clilv_report(const char *uri, const char *fault, const char *cause) {
  write_all(name);
  write_all(uri);
  write_all(": this plug-in ");
  write_all(fault);
  write_all(cause);
  write_all(" (do not use it, or install another version)\n");
}

void clilv_report_line(const char *line) {
  write_all(name);
  write_all(line);
  write_all("\n");
}

static void handle(int number, siginfo_t *information, void *context) {
  const char *running = clilv_running;
  for (int index = 0; index < signal_count; index++) {
    if (signals[index].number != number) continue;
    if (running) {
      clilv_running = 0;
      clilv_report(running, "has crashed: ", signals[index].words);
    }
    sigaction(number, &before[index], 0);
    // A fault found by the processor occurs again on return; a signal that was sent must be raised
    // again.
    if (information->si_code <= 0) raise(number);
  }
}

void clilv_arm(const char *program) {
  if (name[0]) return;
  strncpy(name, program, sizeof name - 3);
  strcat(name, ": ");
  clilv_owner = getpid();
  struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
  sigemptyset(&action.sa_mask);
  for (int index = 0; index < signal_count; index++)
    sigaction(signals[index].number, &action, &before[index]);
}

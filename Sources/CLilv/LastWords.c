// SPDX-License-Identifier: Apache-2.0
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "CLilv.h"

_Thread_local const LV2_Descriptor *volatile clilv_running;

static const struct {
  int number;
  const char *words;
} signals[] = {
  {SIGSEGV, "it touched memory that is not there"},
  {SIGBUS, "it touched memory that is not there"},
  {SIGFPE, "it divided by zero"},
  {SIGILL, "it ran what is no instruction"},
  {SIGTRAP, "it stopped itself"},
  {SIGABRT, "it gave up"},
};
enum { signal_count = sizeof signals / sizeof *signals };
static struct sigaction before[signal_count];
static char name[64];

// Nothing but `write`, `sigaction` and `raise`: what may be called in a signal's handler.
static void say(const char *text) {
  for (size_t left = strlen(text); left > 0;) {
    ssize_t done = write(2, text, left);
    if (done <= 0) return;
    text += done;
    left -= done;
  }
}

static void handle(int number, siginfo_t *information, void *context) {
  const LV2_Descriptor *running = clilv_running;
  for (int index = 0; index < signal_count; index++) {
    if (signals[index].number != number) continue;
    if (running) {
      clilv_running = 0;
      say(name);
      say(running->URI);
      say(": this plug-in has crashed: ");
      say(signals[index].words);
      say(" (leave it out, or install another version)\n");
    }
    sigaction(number, &before[index], 0);
    // What the processor found comes again by itself; what was sent does not.
    if (information->si_code <= 0) raise(number);
  }
}

void clilv_arm(const char *program) {
  if (name[0]) return;
  strncpy(name, program, sizeof name - 3);
  strcat(name, ": ");
  struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
  sigemptyset(&action.sa_mask);
  for (int index = 0; index < signal_count; index++)
    sigaction(signals[index].number, &action, &before[index]);
}

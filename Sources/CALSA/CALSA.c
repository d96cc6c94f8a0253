// SPDX-License-Identifier: Apache-2.0
#include "CALSA.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static char words[1024];
static size_t words_length;
static atomic_flag words_taken = ATOMIC_FLAG_INIT;

static void keep(
    const char *file, int line, const char *function, int code, const char *format, ...) {
  (void)file;
  (void)line;
  (void)function;
  char message[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  if (atomic_flag_test_and_set_explicit(&words_taken, memory_order_acquire)) return;
  int length = snprintf(
      words + words_length, sizeof words - words_length, code ? "%s: %s\n" : "%s\n", message,
      snd_strerror(code));
  if (length > 0 && words_length + (size_t)length < sizeof words) words_length += (size_t)length;
  words[words_length] = 0;
  atomic_flag_clear_explicit(&words_taken, memory_order_release);
}

void calsa_keep_words(void) { snd_lib_error_set_handler(keep); }

void calsa_take_words(char *into, size_t size) {
  if (size == 0) return;
  into[0] = 0;
  if (atomic_flag_test_and_set_explicit(&words_taken, memory_order_acquire)) return;
  size_t length = words_length < size - 1 ? words_length : size - 1;
  memcpy(into, words, length);
  into[length] = 0;
  words_length = 0;
  atomic_flag_clear_explicit(&words_taken, memory_order_release);
}

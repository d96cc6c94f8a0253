// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CWholeFiles.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

int cwholefiles_rename_to_free(const char *from, const char *to) {
  return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0 ? 0 : errno;
}

int cwholefiles_exchange(const char *one, const char *other) {
  return renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE) == 0 ? 0 : errno;
}

// SPDX-License-Identifier: Apache-2.0
// What Swift's Glibc module leaves out, for files that appear whole. No logic lives here.
#ifndef CWHOLEFILES_H
#define CWHOLEFILES_H

/// Gives a file another name, unless something has that name; returns 0 or the errno.
int cwholefiles_rename_to_free(const char *from, const char *to);

/// Gives two files or folders each other's name in one step; returns 0 or the errno.
int cwholefiles_exchange(const char *one, const char *other);

#endif

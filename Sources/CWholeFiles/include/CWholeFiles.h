// SPDX-License-Identifier: Apache-2.0
// What Swift's Glibc module leaves out, for files that appear whole, and a list of the files that are not
// complete, so that they can be removed when the process must end at once.
#ifndef CWHOLEFILES_H
#define CWHOLEFILES_H

/// Gives a file another name, unless something has that name; returns 0 or the errno.
int cwholefiles_rename_to_free(const char *from, const char *to);

/// Gives two files or folders each other's name in one step; returns 0 or the errno.
int cwholefiles_exchange(const char *one, const char *other);

/// Notes the name of a file that is not complete; returns its place in the list, or −1 if the list is
/// full.
int cwholefiles_note(const char *path);

/// Takes a name off the list; a negative place is ignored.
void cwholefiles_forget(int place);

/// Removes the files on the list. It never waits.
void cwholefiles_remove_noted(void);

/// The bytes of all files on the list, which grow while they are written; for one thread at a time.
long long cwholefiles_noted_bytes(void);

#endif

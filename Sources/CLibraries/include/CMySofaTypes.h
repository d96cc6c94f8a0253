// SPDX-License-Identifier: Apache-2.0
// What of libmysofa's interface is used, in declarations of our own: building needs no header of it.
#ifndef CMYSOFA_TYPES_H
#define CMYSOFA_TYPES_H

struct MYSOFA_EASY;

/// Some of an error's numbers; an errno is one, too.
enum {
  MYSOFA_INVALID_FORMAT = 10000,
  MYSOFA_READ_ERROR = 10003,
};

#endif

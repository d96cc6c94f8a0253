// SPDX-License-Identifier: Apache-2.0
// Declarations of the part of libmysofa's interface in use, so that building does not require its
// headers.
#ifndef CMYSOFA_TYPES_H
#define CMYSOFA_TYPES_H

struct MYSOFA_EASY;

/// Some error numbers; a number may also be an `errno`.
enum {
  MYSOFA_INVALID_FORMAT = 10000,
  MYSOFA_READ_ERROR = 10003,
};

#endif

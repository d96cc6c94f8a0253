// SPDX-License-Identifier: Apache-2.0
#ifndef CZLIB_H
#define CZLIB_H
#include <zlib.h>
#endif

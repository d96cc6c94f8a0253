// SPDX-License-Identifier: Apache-2.0
#include "CEBUR128.h"

#define DYNAMICTABLE_PREFIX "ebur128_"
#include "../DynamicLibrary/DynamicTable.h"

DYNAMICTABLE(CEBUR128Table, CEBUR128_FUNCTIONS, cebur128_table, "libebur128.so.1")

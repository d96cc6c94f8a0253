// SPDX-License-Identifier: Apache-2.0
#include "CSoxr.h"

#define DYNAMICTABLE_PREFIX "soxr_"
#include "../DynamicLibrary/DynamicTable.h"

DYNAMICTABLE(CSoxrTable, CSOXR_FUNCTIONS, csoxr_table, "libsoxr.so.0")

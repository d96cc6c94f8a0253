// SPDX-License-Identifier: Apache-2.0
#include "CMySofa.h"

#define DYNAMICTABLE_PREFIX "mysofa_"
#include "../DynamicLibrary/DynamicTable.h"

DYNAMICTABLE(CMySofaTable, CMYSOFA_FUNCTIONS, cmysofa_table, "libmysofa.so.1")

const char *cmysofa_missing(void) { return library.missing; }

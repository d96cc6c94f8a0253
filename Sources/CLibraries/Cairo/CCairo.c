// SPDX-License-Identifier: Apache-2.0
#include "CCairo.h"

#define DYNAMICTABLE_PREFIX "cairo_"
#include "../DynamicLibrary/DynamicTable.h"

DYNAMICTABLE(CCairoTable, CCAIRO_FUNCTIONS, ccairo_table, "libcairo.so.2")

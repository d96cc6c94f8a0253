// SPDX-License-Identifier: Apache-2.0
#include "CRubberBand.h"

#define DYNAMICTABLE_PREFIX "rubberband_"
#include "../DynamicLibrary/DynamicTable.h"

DYNAMICTABLE(CRubberBandTable, CRUBBERBAND_FUNCTIONS, crubberband_table, "librubberband.so.2")

const char *crubberband_missing(void) { return library.missing; }

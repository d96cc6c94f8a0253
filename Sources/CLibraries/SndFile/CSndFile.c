// SPDX-License-Identifier: Apache-2.0
#include "CSndFile.h"

#define DYNAMICTABLE_PREFIX "sf_"
#include "../DynamicLibrary/DynamicTable.h"

DYNAMICTABLE(CSndFileTable, CSNDFILE_FUNCTIONS, csndfile_table, "libsndfile.so.1")

const char *csndfile_missing(void) { return library.missing; }

// SPDX-License-Identifier: Apache-2.0
#include "CAvahi.h"

#define DYNAMICTABLE_PREFIX "avahi_"
#include "../DynamicLibrary/DynamicTable.h"

// This library loads libavahi-common.
DYNAMICTABLE(CAvahiTable, CAVAHI_FUNCTIONS, cavahi_table, "libavahi-client.so.3")

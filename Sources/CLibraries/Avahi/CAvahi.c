// SPDX-License-Identifier: Apache-2.0
#include "CAvahi.h"

#define DYNAMICTABLE_PREFIX "avahi_"
#include "../DynamicLibrary/DynamicTable.h"

// Its other half, libavahi-common, comes with it.
DYNAMICTABLE(CAvahiTable, CAVAHI_FUNCTIONS, cavahi_table, "libavahi-client.so.3")

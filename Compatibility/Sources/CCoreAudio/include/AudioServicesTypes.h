// SPDX-License-Identifier: Apache-2.0
// Types of system sounds.
#pragma once
#include <stdint.h>

typedef uint32_t SystemSoundID;
typedef uint32_t AudioServicesPropertyID;

// SPDX-License-Identifier: Apache-2.0
// System sounds: the types that C functions use.
#pragma once

#include <stdint.h>

/// A system sound: one that the program has created, or a predefined one.
typedef uint32_t SystemSoundID;

/// A property of a system sound.
typedef uint32_t AudioServicesPropertyID;

/// A function that is called when a system sound ends.
typedef void (*AudioServicesSystemSoundCompletionProc)(
    SystemSoundID sound, void *_Nullable clientData);


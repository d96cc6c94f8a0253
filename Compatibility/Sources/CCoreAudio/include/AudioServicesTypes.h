// SPDX-License-Identifier: Apache-2.0
// System sounds: the types that cross the border to C.
#pragma once

#include <stdint.h>

/// A system sound that was created, or one of the sounds that are always there.
typedef uint32_t SystemSoundID;

/// A property of the service or of one of its sounds.
typedef uint32_t AudioServicesPropertyID;

/// What is called when a system sound is over.
typedef void (*AudioServicesSystemSoundCompletionProc)(
    SystemSoundID sound, void *_Nullable clientData);


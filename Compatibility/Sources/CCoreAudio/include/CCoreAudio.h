// SPDX-License-Identifier: Apache-2.0
// The C types that programs written for Core Audio use: structs whose layout they rely on, and
// enumerations that Swift is to name as it does on Apple's systems.
#pragma once
#include "CoreAudioBaseTypes.h"
#include "MachTime.h"
#include "MIDIServicesTypes.h"
#include "AudioUnitTypes.h"
#include "AUGraphTypes.h"
#include "MusicPlayerTypes.h"
#include "CoreAudioClockTypes.h"
#include "AudioServicesTypes.h"

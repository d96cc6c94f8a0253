// SPDX-License-Identifier: Apache-2.0
// The C types of programs for Core Audio: structs with a fixed layout, and enumerations that Swift
// imports with the same names as on Apple's systems.
#pragma once
#include "CoreAudioBaseTypes.h"
#include "AudioFormatConstants.h"
#include "AudioChannelLayoutTypes.h"
#include "CoreMediaTypes.h"
#include "MachTime.h"
#include "MIDIServicesTypes.h"
#include "AudioUnitTypes.h"
#include "AUGraphTypes.h"
#include "MusicPlayerTypes.h"
#include "CoreAudioClockTypes.h"
#include "AudioServicesTypes.h"
#include "AudioFormatTypes.h"
#include "AudioFileTypes.h"
#include "ExtendedAudioFileTypes.h"
#include "AudioFileStreamTypes.h"
#include "AudioConverterTypes.h"
#include "AudioQueueTypes.h"
#include "AudioHardwareTypes.h"

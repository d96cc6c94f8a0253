// SPDX-License-Identifier: Apache-2.0
// The C types that programs written for Core Audio use: structs whose layout they rely on, and
// enumerations that Swift is to name as it does on Apple's systems.
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

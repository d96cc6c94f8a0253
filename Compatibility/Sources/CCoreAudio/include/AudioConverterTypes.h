// SPDX-License-Identifier: Apache-2.0
// Converters: properties, codes and callbacks.
#pragma once
#include "AudioFormatTypes.h"

typedef struct OpaqueAudioConverter *AudioConverterRef;
typedef uint32_t AudioConverterPropertyID;

enum : AudioConverterPropertyID {
  kAudioConverterPropertyMinimumInputBufferSize = 'mibs',
  kAudioConverterPropertyMinimumOutputBufferSize = 'mobs',
  kAudioConverterPropertyMaximumInputPacketSize = 'xips',
  kAudioConverterPropertyMaximumOutputPacketSize = 'xops',
  kAudioConverterPropertyCalculateInputBufferSize = 'cibs',
  kAudioConverterPropertyCalculateOutputBufferSize = 'cobs',
  kAudioConverterPropertyInputCodecParameters = 'icdp',
  kAudioConverterPropertyOutputCodecParameters = 'ocdp',
  kAudioConverterSampleRateConverterAlgorithm = 'srci',
  kAudioConverterSampleRateConverterComplexity = 'srca',
  kAudioConverterSampleRateConverterQuality = 'srcq',
  kAudioConverterSampleRateConverterInitialPhase = 'srcp',
  kAudioConverterCodecQuality = 'cdqu',
  kAudioConverterPrimeMethod = 'prmm',
  kAudioConverterPrimeInfo = 'prim',
  kAudioConverterChannelMap = 'chmp',
  kAudioConverterDecompressionMagicCookie = 'dmgc',
  kAudioConverterCompressionMagicCookie = 'cmgc',
  kAudioConverterEncodeBitRate = 'brat',
  kAudioConverterEncodeAdjustableSampleRate = 'ajsr',
  kAudioConverterInputChannelLayout = 'icl ',
  kAudioConverterOutputChannelLayout = 'ocl ',
  kAudioConverterApplicableEncodeBitRates = 'aebr',
  kAudioConverterAvailableEncodeBitRates = 'vebr',
  kAudioConverterApplicableEncodeSampleRates = 'aesr',
  kAudioConverterAvailableEncodeSampleRates = 'vesr',
  kAudioConverterAvailableEncodeChannelLayoutTags = 'aecl',
  kAudioConverterCurrentOutputStreamDescription = 'acod',
  kAudioConverterCurrentInputStreamDescription = 'acid',
  kAudioConverterPropertySettings = 'acps',
  kAudioConverterPropertyBitDepthHint = 'acbd',
  kAudioConverterPropertyFormatList = 'flst',
  kAudioConverterPropertyDithering = 'dith',
  kAudioConverterPropertyDitherBitDepth = 'dbit',
};

enum : uint32_t {
  kDitherAlgorithm_TPDF = 1,
  kDitherAlgorithm_NoiseShaping = 2,
};

enum : uint32_t {
  kAudioConverterQuality_Max = 0x7F,
  kAudioConverterQuality_High = 0x60,
  kAudioConverterQuality_Medium = 0x40,
  kAudioConverterQuality_Low = 0x20,
  kAudioConverterQuality_Min = 0,
};

enum : uint32_t {
  kAudioConverterSampleRateConverterComplexity_Linear = 'line',
  kAudioConverterSampleRateConverterComplexity_Normal = 'norm',
  kAudioConverterSampleRateConverterComplexity_Mastering = 'bats',
  kAudioConverterSampleRateConverterComplexity_MinimumPhase = 'minp',
};

enum : uint32_t {
  kConverterPrimeMethod_Pre = 0,
  kConverterPrimeMethod_Normal = 1,
  kConverterPrimeMethod_None = 2,
};

// The frames of the input that a conversion needs before the first and after the last frame.
typedef struct AudioConverterPrimeInfo {
  uint32_t leadingFrames;
  uint32_t trailingFrames;
} AudioConverterPrimeInfo;

enum : OSStatus {
  kAudioConverterErr_FormatNotSupported = 'fmt?',
  kAudioConverterErr_OperationNotSupported = 0x6F703F3F,
  kAudioConverterErr_PropertyNotSupported = 'prop',
  kAudioConverterErr_InvalidInputSize = 'insz',
  kAudioConverterErr_InvalidOutputSize = 'otsz',
  kAudioConverterErr_UnspecifiedError = 'what',
  kAudioConverterErr_BadPropertySizeError = '!siz',
  kAudioConverterErr_RequiresPacketDescriptionsError = '!pkd',
  kAudioConverterErr_InputSampleRateOutOfRange = '!isr',
  kAudioConverterErr_OutputSampleRateOutOfRange = '!osr',
  kAudioConverterErr_HardwareInUse = 'hwiu',
  kAudioConverterErr_NoHardwarePermission = 'perm',
};

// A function that supplies a converter with input.
typedef OSStatus (*AudioConverterComplexInputDataProc)(
    AudioConverterRef _Nonnull inAudioConverter, uint32_t *_Nonnull ioNumberDataPackets,
    AudioBufferList *_Nonnull ioData,
    AudioStreamPacketDescription *_Nullable *_Nullable outDataPacketDescription,
    void *_Nullable inUserData);

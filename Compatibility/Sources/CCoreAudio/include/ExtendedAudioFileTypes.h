// SPDX-License-Identifier: Apache-2.0
// Sound files with conversion: properties and codes.
#pragma once
#include "AudioFileTypes.h"

typedef struct OpaqueExtAudioFile *ExtAudioFileRef;
typedef uint32_t ExtAudioFilePropertyID;

enum : ExtAudioFilePropertyID {
  kExtAudioFileProperty_FileDataFormat = 'ffmt',
  kExtAudioFileProperty_FileChannelLayout = 'fclo',
  kExtAudioFileProperty_ClientDataFormat = 'cfmt',
  kExtAudioFileProperty_ClientChannelLayout = 'cclo',
  kExtAudioFileProperty_CodecManufacturer = 'cman',
  kExtAudioFileProperty_AudioConverter = 'acnv',
  kExtAudioFileProperty_AudioFile = 'afil',
  kExtAudioFileProperty_FileMaxPacketSize = 'fmps',
  kExtAudioFileProperty_ClientMaxPacketSize = 'cmps',
  kExtAudioFileProperty_FileLengthFrames = '#frm',
  kExtAudioFileProperty_ConverterConfig = 'accf',
  kExtAudioFileProperty_IOBufferSizeBytes = 'iobs',
  kExtAudioFileProperty_IOBuffer = 'iobf',
  kExtAudioFileProperty_PacketTable = 'xpti',
};

enum : OSStatus {
  kExtAudioFileError_CodecUnavailableInputConsumed = -66559,
  kExtAudioFileError_CodecUnavailableInputNotConsumed = -66560,
  kExtAudioFileError_InvalidProperty = -66561,
  kExtAudioFileError_InvalidPropertySize = -66562,
  kExtAudioFileError_NonPCMClientFormat = -66563,
  kExtAudioFileError_InvalidChannelMap = -66564,
  kExtAudioFileError_InvalidOperationOrder = -66565,
  kExtAudioFileError_InvalidDataFormat = -66566,
  kExtAudioFileError_MaxPacketSizeUnknown = -66567,
  kExtAudioFileError_InvalidSeek = -66568,
  kExtAudioFileError_AsyncWriteTooLarge = -66569,
  kExtAudioFileError_AsyncWriteBufferOverflow = -66570,
};

// SPDX-License-Identifier: Apache-2.0
// Sound devices: objects, properties and codes.
#pragma once
#include "AudioChannelLayoutTypes.h"

typedef uint32_t AudioObjectID;
typedef uint32_t AudioClassID;
typedef uint32_t AudioObjectPropertySelector;
typedef uint32_t AudioObjectPropertyScope;
typedef uint32_t AudioObjectPropertyElement;
typedef AudioObjectID AudioDeviceID;
typedef AudioObjectID AudioStreamID;
typedef AudioObjectID AudioHardwarePropertyID;
typedef AudioObjectPropertySelector AudioDevicePropertyID;

typedef struct AudioObjectPropertyAddress {
  AudioObjectPropertySelector mSelector;
  AudioObjectPropertyScope mScope;
  AudioObjectPropertyElement mElement;
} AudioObjectPropertyAddress;

// A format, with the range of sample rates that a stream supports in it.
typedef struct AudioStreamRangedDescription {
  AudioStreamBasicDescription mFormat;
  AudioValueRange mSampleRateRange;
} AudioStreamRangedDescription;

typedef OSStatus (*AudioObjectPropertyListenerProc)(
    AudioObjectID inObjectID, uint32_t inNumberAddresses,
    const AudioObjectPropertyAddress *_Nonnull inAddresses, void *_Nullable inClientData);

enum : OSStatus {
  kAudioHardwareNoError = 0,
  kAudioHardwareNotRunningError = 'stop',
  kAudioHardwareUnspecifiedError = 'what',
  kAudioHardwareUnknownPropertyError = 'who?',
  kAudioHardwareBadPropertySizeError = '!siz',
  kAudioHardwareIllegalOperationError = 'nope',
  kAudioHardwareBadObjectError = '!obj',
  kAudioHardwareBadDeviceError = '!dev',
  kAudioHardwareBadStreamError = '!str',
  kAudioHardwareUnsupportedOperationError = 'unop',
  kAudioHardwareNotReadyError = 'nrdy',
  kAudioDeviceUnsupportedFormatError = '!dat',
  kAudioDevicePermissionsError = '!hog',
};

enum : AudioObjectID {
  kAudioObjectUnknown = 0,
  kAudioDeviceUnknown = kAudioObjectUnknown,
  kAudioStreamUnknown = kAudioObjectUnknown,
};

// Programs convert it to the type of an object.
enum : int { kAudioObjectSystemObject = 1 };

enum : AudioObjectPropertyScope {
  kAudioObjectPropertyScopeGlobal = 'glob',
  kAudioObjectPropertyScopeInput = 'inpt',
  kAudioObjectPropertyScopeOutput = 'outp',
  kAudioObjectPropertyScopePlayThrough = 'ptru',
  kAudioObjectPropertyElementMaster = 0,
  kAudioObjectPropertyElementMain = 0,
  kAudioObjectPropertyScopeWildcard = '****',
  kAudioDevicePropertyScopeInput = kAudioObjectPropertyScopeInput,
  kAudioDevicePropertyScopeOutput = kAudioObjectPropertyScopeOutput,
  kAudioDevicePropertyScopePlayThrough = kAudioObjectPropertyScopePlayThrough,
};

enum : AudioObjectPropertySelector { kAudioObjectPropertySelectorWildcard = '****' };
enum : AudioObjectPropertyElement { kAudioObjectPropertyElementWildcard = 0xFFFFFFFF };

enum : AudioClassID {
  kAudioObjectClassIDWildcard = '****',
  kAudioObjectClassID = 'aobj',
  kAudioSystemObjectClassID = 'asys',
  kAudioPlugInClassID = 'aplg',
  kAudioDeviceClassID = 'adev',
  kAudioStreamClassID = 'astr',
};

enum : AudioObjectPropertySelector {
  kAudioObjectPropertyBaseClass = 'bcls',
  kAudioObjectPropertyClass = 'clas',
  kAudioObjectPropertyOwner = 'stdv',
  kAudioObjectPropertyName = 'lnam',
  kAudioObjectPropertyModelName = 'lmod',
  kAudioObjectPropertyManufacturer = 'lmak',
  kAudioObjectPropertyElementName = 'lchn',
  kAudioObjectPropertyElementCategoryName = 'lccn',
  kAudioObjectPropertyElementNumberName = 'lcnn',
  kAudioObjectPropertyOwnedObjects = 'ownd',
  kAudioObjectPropertyIdentify = 'iden',
  kAudioObjectPropertySerialNumber = 'snum',
  kAudioObjectPropertyFirmwareVersion = 'fwvn',
  kAudioObjectPropertyControlList = 'ctrl',
};

enum : AudioObjectPropertySelector {
  kAudioHardwarePropertyDevices = 'dev#',
  kAudioHardwarePropertyDefaultInputDevice = 'dIn ',
  kAudioHardwarePropertyDefaultOutputDevice = 'dOut',
  kAudioHardwarePropertyDefaultSystemOutputDevice = 'sOut',
  kAudioHardwarePropertyTranslateUIDToDevice = 'uidd',
  kAudioHardwarePropertyRunLoop = 'rnlp',
  kAudioHardwarePropertyServiceRestarted = 'srst',
};

enum : AudioObjectPropertySelector {
  kAudioDevicePropertyDeviceName = 'name',
  kAudioDevicePropertyDeviceNameCFString = kAudioObjectPropertyName,
  kAudioDevicePropertyDeviceManufacturerCFString = kAudioObjectPropertyManufacturer,
  kAudioDevicePropertyDeviceUID = 'uid ',
  kAudioDevicePropertyModelUID = 'muid',
  kAudioDevicePropertyTransportType = 'tran',
  kAudioDevicePropertyRelatedDevices = 'akin',
  kAudioDevicePropertyClockDomain = 'clkd',
  kAudioDevicePropertyDeviceIsAlive = 'livn',
  kAudioDevicePropertyDeviceIsRunning = 'goin',
  kAudioDevicePropertyDeviceIsRunningSomewhere = 'gone',
  kAudioDevicePropertyDeviceCanBeDefaultDevice = 'dflt',
  kAudioDevicePropertyDeviceCanBeDefaultSystemDevice = 'sflt',
  kAudioDevicePropertyLatency = 'ltnc',
  kAudioDevicePropertyStreams = 'stm#',
  kAudioDevicePropertySafetyOffset = 'saft',
  kAudioDevicePropertyNominalSampleRate = 'nsrt',
  kAudioDevicePropertyActualSampleRate = 'asrt',
  kAudioDevicePropertyAvailableNominalSampleRates = 'nsr#',
  kAudioDevicePropertyIsHidden = 'hidn',
  kAudioDevicePropertyPreferredChannelsForStereo = 'dch2',
  kAudioDevicePropertyPreferredChannelLayout = 'srnd',
  kAudioDevicePropertyDeviceHasChanged = 'diff',
  kAudioDeviceProcessorOverload = 'over',
  kAudioDevicePropertyHogMode = 'oink',
  kAudioDevicePropertyBufferFrameSize = 'fsiz',
  kAudioDevicePropertyBufferFrameSizeRange = 'fsz#',
  kAudioDevicePropertyUsesVariableBufferFrameSizes = 'vfsz',
  kAudioDevicePropertyStreamConfiguration = 'slay',
  kAudioDevicePropertyStreamFormat = 'sfmt',
  kAudioDevicePropertyVolumeScalar = 'volm',
  kAudioDevicePropertyVolumeDecibels = 'vold',
  kAudioDevicePropertyMute = 'mute',
  kAudioDevicePropertyDataSource = 'ssrc',
};

enum : AudioObjectPropertySelector {
  kAudioStreamPropertyIsActive = 'sact',
  kAudioStreamPropertyDirection = 'sdir',
  kAudioStreamPropertyTerminalType = 'term',
  kAudioStreamPropertyStartingChannel = 'schn',
  kAudioStreamPropertyLatency = kAudioDevicePropertyLatency,
  kAudioStreamPropertyVirtualFormat = 'sfmt',
  kAudioStreamPropertyAvailableVirtualFormats = 'sfma',
  kAudioStreamPropertyPhysicalFormat = 'pft ',
  kAudioStreamPropertyAvailablePhysicalFormats = 'pfta',
};

enum : uint32_t {
  kAudioDeviceTransportTypeUnknown = 0,
  kAudioDeviceTransportTypeBuiltIn = 'bltn',
  kAudioDeviceTransportTypeAggregate = 'grup',
  kAudioDeviceTransportTypeVirtual = 'virt',
  kAudioDeviceTransportTypePCI = 'pci ',
  kAudioDeviceTransportTypeUSB = 'usb ',
  kAudioDeviceTransportTypeFireWire = '1394',
  kAudioDeviceTransportTypeBluetooth = 'blue',
  kAudioDeviceTransportTypeBluetoothLE = 'blea',
  kAudioDeviceTransportTypeHDMI = 'hdmi',
  kAudioDeviceTransportTypeDisplayPort = 'dprt',
  kAudioDeviceTransportTypeAirPlay = 'airp',
  kAudioDeviceTransportTypeAVB = 'eavb',
  kAudioDeviceTransportTypeThunderbolt = 'thun',
};

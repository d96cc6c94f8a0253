// SPDX-License-Identifier: Apache-2.0
// Types of MIDI clients, ports, endpoints and packets.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "CoreAudioBaseTypes.h"

typedef uint32_t MIDIObjectRef;
typedef MIDIObjectRef MIDIClientRef;
typedef MIDIObjectRef MIDIPortRef;
typedef MIDIObjectRef MIDIDeviceRef;
typedef MIDIObjectRef MIDIEntityRef;
typedef MIDIObjectRef MIDIEndpointRef;
typedef MIDIObjectRef MIDIThruConnectionRef;
typedef uint64_t MIDITimeStamp;
typedef int32_t MIDIUniqueID;

typedef CORE_AUDIO_ENUM(MIDIObjectType, int32_t) {
  kMIDIObjectType_Other CORE_AUDIO_SWIFT_NAME(other) = -1,
  kMIDIObjectType_Device CORE_AUDIO_SWIFT_NAME(device) = 0,
  kMIDIObjectType_Entity CORE_AUDIO_SWIFT_NAME(entity) = 1,
  kMIDIObjectType_Source CORE_AUDIO_SWIFT_NAME(source) = 2,
  kMIDIObjectType_Destination CORE_AUDIO_SWIFT_NAME(destination) = 3,
  kMIDIObjectType_ExternalDevice CORE_AUDIO_SWIFT_NAME(externalDevice) = 0x10,
  kMIDIObjectType_ExternalEntity CORE_AUDIO_SWIFT_NAME(externalEntity) = 0x11,
  kMIDIObjectType_ExternalSource CORE_AUDIO_SWIFT_NAME(externalSource) = 0x12,
  kMIDIObjectType_ExternalDestination CORE_AUDIO_SWIFT_NAME(externalDestination) = 0x13,
} MIDIObjectType;

// Bytes that belong to one instant. `length` is their number, which may be above 256.
#pragma pack(push, 4)
typedef struct MIDIPacket {
  MIDITimeStamp timeStamp;
  uint16_t length;
  uint8_t data[256];
} MIDIPacket;

// Packets of different sizes, one after another; only the first is declared here.
typedef struct MIDIPacketList {
  uint32_t numPackets;
  MIDIPacket packet[1];
} MIDIPacketList;
#pragma pack(pop)

typedef void (*MIDIReadProc)(
    const MIDIPacketList *_Nonnull packets, void *_Nullable readProcRefCon,
    void *_Nullable srcConnRefCon);

typedef CORE_AUDIO_ENUM(MIDINotificationMessageID, int32_t) {
  kMIDIMsgSetupChanged CORE_AUDIO_SWIFT_NAME(msgSetupChanged) = 1,
  kMIDIMsgObjectAdded CORE_AUDIO_SWIFT_NAME(msgObjectAdded) = 2,
  kMIDIMsgObjectRemoved CORE_AUDIO_SWIFT_NAME(msgObjectRemoved) = 3,
  kMIDIMsgPropertyChanged CORE_AUDIO_SWIFT_NAME(msgPropertyChanged) = 4,
  kMIDIMsgThruConnectionsChanged CORE_AUDIO_SWIFT_NAME(msgThruConnectionsChanged) = 5,
  kMIDIMsgSerialPortOwnerChanged CORE_AUDIO_SWIFT_NAME(msgSerialPortOwnerChanged) = 6,
  kMIDIMsgIOError CORE_AUDIO_SWIFT_NAME(msgIOError) = 7,
  kMIDIMsgInternalStart CORE_AUDIO_SWIFT_NAME(msgInternalStart) = 0x1000,
} MIDINotificationMessageID;

// The beginning of every notification; `messageSize` is the size of the whole struct.
typedef struct MIDINotification {
  MIDINotificationMessageID messageID;
  uint32_t messageSize;
} MIDINotification;

typedef struct MIDIObjectAddRemoveNotification {
  MIDINotificationMessageID messageID;
  uint32_t messageSize;
  MIDIObjectRef parent;
  MIDIObjectType parentType;
  MIDIObjectRef child;
  MIDIObjectType childType;
} MIDIObjectAddRemoveNotification;

// The name is an object, valid during the call, which Swift declares as `Unmanaged<CFString>`.
typedef struct MIDIObjectPropertyChangeNotification {
  MIDINotificationMessageID messageID;
  uint32_t messageSize;
  MIDIObjectRef object;
  MIDIObjectType objectType;
  const void *_Nullable propertyName CORE_AUDIO_HIDDEN;
} MIDIObjectPropertyChangeNotification;

typedef struct MIDIIOErrorNotification {
  MIDINotificationMessageID messageID;
  uint32_t messageSize;
  MIDIDeviceRef driverDevice;
  OSStatus errorCode;
} MIDIIOErrorNotification;

typedef void (*MIDINotifyProc)(
    const MIDINotification *_Nonnull message, void *_Nullable refCon);

typedef struct MIDISysexSendRequest MIDISysexSendRequest;
typedef void (*MIDICompletionProc)(MIDISysexSendRequest *_Nonnull request);

// A SysEx message that is being sent; its memory must not move until it is complete.
struct MIDISysexSendRequest {
  MIDIEndpointRef destination;
  const uint8_t *_Nonnull data;
  uint32_t bytesToSend;
  uint8_t complete CORE_AUDIO_HIDDEN;
  uint8_t reserved[3];
  MIDICompletionProc _Nonnull completionProc;
  void *_Nullable completionRefCon;
};

typedef CORE_AUDIO_ENUM(MIDITransformType, uint16_t) {
  kMIDITransform_None CORE_AUDIO_SWIFT_NAME(none) = 0,
  kMIDITransform_FilterOut CORE_AUDIO_SWIFT_NAME(filterOut) = 1,
  kMIDITransform_MapControl CORE_AUDIO_SWIFT_NAME(mapControl) = 2,
  kMIDITransform_Add CORE_AUDIO_SWIFT_NAME(add) = 8,
  kMIDITransform_Scale CORE_AUDIO_SWIFT_NAME(scale) = 9,
  kMIDITransform_MinValue CORE_AUDIO_SWIFT_NAME(minValue) = 10,
  kMIDITransform_MaxValue CORE_AUDIO_SWIFT_NAME(maxValue) = 11,
  kMIDITransform_MapValue CORE_AUDIO_SWIFT_NAME(mapValue) = 12,
} MIDITransformType;

typedef CORE_AUDIO_ENUM(MIDITransformControlType, uint8_t) {
  kMIDIControlType_7Bit CORE_AUDIO_SWIFT_NAME(controlType7Bit) = 0,
  kMIDIControlType_14Bit CORE_AUDIO_SWIFT_NAME(controlType14Bit) = 1,
  kMIDIControlType_7BitRPN CORE_AUDIO_SWIFT_NAME(controlType7BitRPN) = 2,
  kMIDIControlType_14BitRPN CORE_AUDIO_SWIFT_NAME(controlType14BitRPN) = 3,
  kMIDIControlType_7BitNRPN CORE_AUDIO_SWIFT_NAME(controlType7BitNRPN) = 4,
  kMIDIControlType_14BitNRPN CORE_AUDIO_SWIFT_NAME(controlType14BitNRPN) = 5,
} MIDITransformControlType;

typedef struct MIDIValueMap {
  uint8_t value[128];
} MIDIValueMap;

typedef struct MIDITransform {
  MIDITransformType transform;
  int16_t param;
} MIDITransform;

typedef struct MIDIControlTransform {
  MIDITransformControlType controlType;
  MIDITransformControlType remappedControlType;
  uint16_t controlNumber;
  MIDITransformType transform;
  int16_t param;
} MIDIControlTransform;

typedef struct MIDIThruConnectionEndpoint {
  MIDIEndpointRef endpointRef;
  MIDIUniqueID uniqueID;
} MIDIThruConnectionEndpoint;

// The parameters of a thru connection, followed by its control transforms and value maps.
typedef struct MIDIThruConnectionParams {
  uint32_t version;
  uint32_t numSources;
  MIDIThruConnectionEndpoint sources[8];
  uint32_t numDestinations;
  MIDIThruConnectionEndpoint destinations[8];
  uint8_t channelMap[16];
  uint8_t lowVelocity;
  uint8_t highVelocity;
  uint8_t lowNote;
  uint8_t highNote;
  MIDITransform noteNumber;
  MIDITransform velocity;
  MIDITransform keyPressure;
  MIDITransform channelPressure;
  MIDITransform programChange;
  MIDITransform pitchBend;
  uint8_t filterOutSysEx;
  uint8_t filterOutMTC;
  uint8_t filterOutBeatClock;
  uint8_t filterOutTuneRequest;
  uint8_t reserved2[3];
  uint8_t filterOutAllControls;
  uint16_t numControlTransforms;
  uint16_t numMaps;
  uint16_t reserved3[4];
} MIDIThruConnectionParams;

/// Returns the size in bytes of parameters with their control transforms and value maps.
static inline size_t MIDIThruConnectionParamsSize(const MIDIThruConnectionParams *_Nonnull ptr) {
  return sizeof(MIDIThruConnectionParams) + ptr->numControlTransforms * sizeof(MIDIControlTransform)
      + ptr->numMaps * sizeof(MIDIValueMap);
}

/// Returns the packet after another packet of a list.
///
/// On ARM, packets are aligned to four bytes; on other processors they are not aligned.
static inline MIDIPacket *_Nonnull MIDIPacketNext(const MIDIPacket *_Nonnull pkt) {
  uintptr_t next = (uintptr_t)pkt + offsetof(MIDIPacket, data) + pkt->length;
#if defined(__arm__) || defined(__aarch64__)
  next = (next + 3) & ~(uintptr_t)3;
#endif
  return (MIDIPacket *)next;
}

/// Removes all packets from a list; returns the packet at which `MIDIPacketListAdd` begins.
static inline MIDIPacket *_Nonnull MIDIPacketListInit(MIDIPacketList *_Nonnull pktlist) {
  pktlist->numPackets = 0;
  memset(&pktlist->packet[0], 0, offsetof(MIDIPacket, data));
  return &pktlist->packet[0];
}

// Returns a null pointer, which Swift can convert to nil, although the type is not optional.
static inline MIDIPacket *_Nonnull CoreAudioNoPacket(void) {
  uintptr_t none = 0;
  return (MIDIPacket *)none;
}

// Functions that read packets at any address, also without alignment.
static inline const MIDIPacket *_Nonnull CoreAudioFirstPacket(const MIDIPacketList *_Nonnull list) {
  return &list->packet[0];
}

static inline uint32_t CoreAudioPacketCount(const MIDIPacketList *_Nonnull list) {
  return list->numPackets;
}

static inline MIDITimeStamp CoreAudioPacketTime(const MIDIPacket *_Nonnull packet) {
  MIDITimeStamp time;
  memcpy(&time, &packet->timeStamp, sizeof time);
  return time;
}

static inline uint16_t CoreAudioPacketLength(const MIDIPacket *_Nonnull packet) {
  uint16_t length;
  memcpy(&length, &packet->length, sizeof length);
  return length;
}

static inline const uint8_t *_Nonnull CoreAudioPacketBytes(const MIDIPacket *_Nonnull packet) {
  return packet->data;
}

// A SysEx message is in a separate packet, which begins with F0 or with continued data.
static inline int CoreAudioBeginsSysEx(const uint8_t *_Nonnull data) {
  return data[0] == 0xF0 || data[0] < 0x80;
}

/// Adds bytes to a list, to the last packet if it has the same time, otherwise as a new packet.
///
/// Returns the packet that contains the bytes, which is `curPacket` of the next call. Returns null
/// if the bytes do not fit into `listSize` bytes, or if `curPacket` is null.
static inline MIDIPacket *_Nonnull MIDIPacketListAdd(
    MIDIPacketList *_Nonnull pktlist, size_t listSize, MIDIPacket *_Nonnull curPacket,
    MIDITimeStamp time, size_t nData, const uint8_t *_Nonnull data) {
  MIDIPacket *packet = curPacket;
  if ((uintptr_t)packet == 0) return packet;
  // A packet outside the list, or with a length beyond it, does not belong to the list.
  const uintptr_t start = (uintptr_t)pktlist, end = start + listSize;
  const size_t head = offsetof(MIDIPacket, data);
  const uintptr_t place = (uintptr_t)packet;
  if (end < start || place < (uintptr_t)&pktlist->packet[0] || place > end || end - place < head)
    return CoreAudioNoPacket();
  if (nData == 0) return packet;
  if (pktlist->numPackets > 0 && packet->length > 0) {
    const int joins = packet->timeStamp == time && !CoreAudioBeginsSysEx(data) &&
                      !CoreAudioBeginsSysEx(packet->data);
    if (joins) {
      if (packet->length + nData > UINT16_MAX || end - place < head + packet->length + nData)
        return CoreAudioNoPacket();
      memcpy(&packet->data[packet->length], data, nData);
      packet->length = (uint16_t)(packet->length + nData);
      return packet;
    }
    packet = MIDIPacketNext(packet);
  }
  const uintptr_t next = (uintptr_t)packet;
  if (next > end || nData > UINT16_MAX || end - next < head + nData) return CoreAudioNoPacket();
  packet->timeStamp = time;
  packet->length = (uint16_t)nData;
  memcpy(packet->data, data, nData);
  pktlist->numPackets += 1;
  return packet;
}

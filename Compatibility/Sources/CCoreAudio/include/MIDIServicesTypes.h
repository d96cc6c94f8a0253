// SPDX-License-Identifier: Apache-2.0
// Types of MIDI clients, ports, endpoints and packets.
#pragma once
#include <stdint.h>

typedef uint32_t MIDIObjectRef;
typedef MIDIObjectRef MIDIClientRef;
typedef MIDIObjectRef MIDIPortRef;
typedef MIDIObjectRef MIDIDeviceRef;
typedef MIDIObjectRef MIDIEntityRef;
typedef MIDIObjectRef MIDIEndpointRef;
typedef uint64_t MIDITimeStamp;
typedef int32_t MIDIUniqueID;

// SPDX-License-Identifier: Apache-2.0
// Packet lists, system exclusive messages and notifications, as programs for macOS write them.
import CoreMIDI
import Foundation

var client = MIDIClientRef()
MIDIClientCreateWithBlock("Packets" as CFString, &client) { notification in
  switch notification.pointee.messageID {
  case .msgPropertyChanged:
    notification.withMemoryRebound(to: MIDIObjectPropertyChangeNotification.self, capacity: 1) {
      let name = $0.pointee.propertyName.takeUnretainedValue() as String
      if name == "model" { print("changed", name) }
    }
  case .msgSetupChanged, .msgObjectAdded, .msgObjectRemoved, .msgThruConnectionsChanged,
    .msgSerialPortOwnerChanged, .msgIOError, .msgInternalStart:
    break
  @unknown default:
    break
  }
}

let arrived = DispatchSemaphore(value: 0)
var destination = MIDIEndpointRef()
MIDIDestinationCreateWithBlock(client, "Packets in" as CFString, &destination) { list, _ in
  for packet in list.unsafeSequence() {
    print("packet", packet.bytes().map { String($0, radix: 16) }.joined(separator: " "))
  }
  arrived.signal()
}
var output = MIDIPortRef()
MIDIOutputPortCreate(client, "Packets out" as CFString, &output)

let builder = MIDIPacketList.Builder(byteSize: 1024)
builder.append(timestamp: 0, data: [0x90, 0x3C, 0x64])
let size = builder.withUnsafePointer { list -> Int in
  MIDISend(output, destination, list)
  return MIDIPacketList.sizeInBytes(pktList: list)
}
arrived.wait()
print("size", size)

let single = MIDIPacket.Builder(maximumNumberMIDIBytes: 3)
single.append(0x80, 0x3C, 0)
single.timeStamp = 0
single.withUnsafePointer { packet in
  var list = MIDIPacketList(numPackets: 1, packet: packet.pointee)
  MIDISend(output, destination, &list)
}
arrived.wait()

let message: [UInt8] = [0xF0, 0x7D, 0x01, 0xF7]
let sysEx = UnsafeMutablePointer<UInt8>.allocate(capacity: message.count)
sysEx.initialize(from: message, count: message.count)
var request = MIDISysexSendRequest(
  destination: destination, data: sysEx, bytesToSend: UInt32(message.count), complete: false,
  reserved: (0, 0, 0), completionProc: { $0.pointee.completionRefCon?.deallocate() },
  completionRefCon: sysEx)
MIDISendSysex(&request)
arrived.wait()
while !request.complete.boolValue { usleep(1000) }
print("complete", request.complete)

MIDIObjectSetStringProperty(destination, kMIDIPropertyModel, "x" as CFString)
var dictionary: Unmanaged<CFDictionary>?
print(
  "none",
  MIDIObjectGetDictionaryProperty(
    destination, kMIDIPropertyNameConfigurationDictionary, &dictionary) == kMIDIUnknownProperty)
usleep(200_000)
var params = MIDIThruConnectionParams()
MIDIThruConnectionParamsInitialize(&params)
let thru = Data(bytes: &params, count: MIDIThruConnectionParamsSize(&params)) as CFData
var connection = MIDIThruConnectionRef()
print("thru", MIDIThruConnectionCreate(nil, thru, &connection), CFDataGetLength(thru) > 200)
MIDIThruConnectionDispose(connection)
MIDIClientDispose(client)

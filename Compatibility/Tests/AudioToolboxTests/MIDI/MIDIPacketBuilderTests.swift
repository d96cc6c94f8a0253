// SPDX-License-Identifier: Apache-2.0
import CoreMIDI
import Foundation
import Synchronization
import TestSupport
import Testing

/// Packets and lists, built and read in Swift.
@Suite struct MIDIPacketBuilderTests {
  @Test func `The packets and bytes of a built list are read back`() {
    let list = MIDIPacketList.Builder(byteSize: 1024)
    #expect(list.count == 0)
    #expect(list.append(timestamp: 5, data: [0x90, 60, 100]) != nil)
    list.append(timestamp: 5, data: [0x90, 64, 100])
    list.append(timestamp: 6, data: [0x80, 60, 0])
    #expect(list.count == 2)
    list.withUnsafePointer { pointer in
      #expect(pointer.unsafeSequence().count == 2)
      let packets = pointer.unsafeSequence().map { ($0.pointee.timeStamp, Array($0.bytes())) }
      #expect(packets.map(\.0) == [5, 6])
      #expect(packets.map(\.1) == [[0x90, 60, 100, 0x90, 64, 100], [0x80, 60, 0]])
      // 4 + (8 + 2 + 6) + (8 + 2 + 3)
      #expect(MIDIPacketList.sizeInBytes(pktList: pointer) == 33)
      for packet in pointer.unsafeSequence() {
        #expect(Array(packet.sequence()) == Array(packet.bytes()))
        #expect(packet.sequence().count == packet.bytes().count)
        #expect(packet.bytes()[1] == 60 && packet.bytes().last != nil)
      }
    }
    list.clear()
    #expect(list.count == 0)
    #expect(list.withUnsafePointer { MIDIPacketList.sizeInBytes(pktList: $0) } == 4)
  }

  @Test func `A full list refuses packets until it is cleared`() {
    let list = MIDIPacketList.Builder(byteSize: 272)
    let long = [UInt8](repeating: 0xF8, count: 250)
    #expect(list.append(timestamp: 1, data: long) != nil)
    #expect(list.append(timestamp: 2, data: long) == nil)
    #expect(list.append(timestamp: 2, data: [0xF8]) == nil)
    #expect(list.count == 1)
    list.clear()
    #expect(list.append(timestamp: 2, data: [0xF8]) != nil)
  }

  @Test func `A packet is built byte by byte`() {
    let packet = MIDIPacket.Builder(maximumNumberMIDIBytes: 300)
    packet.append(0x90, 60, 100)
    packet.append(0x80)
    packet.timeStamp = 42
    #expect(packet.capacity == 300 && packet.count == 4 && packet.timeStamp == 42)
    let copy = packet.withUnsafePointer { $0.pointee }
    #expect(copy.length == 4 && copy.timeStamp == 42 && copy.data.1 == 60 && copy.data.3 == 0x80)
    packet.withUnsafeMutableMIDIPacketPointer { bytes in
      bytes[0] = 0x91
      bytes.timeStamp = 43
      #expect(bytes.count == 4 && Array(bytes) == [0x91, 60, 100, 0x80])
      bytes.count = 3
    }
    #expect(packet.withUnsafePointer { Array($0.bytes()) } == [0x91, 60, 100])
    #expect(packet.timeStamp == 43)
    #expect(MIDIPacket.ByteCollection(nil) == nil)
    #expect(UnsafeMutableMIDIPacketPointer(nil) == nil)
  }

  @Test func `A list in memory of a program is filled in place`() {
    var memory = MIDIPacketList()
    withUnsafeMutablePointer(to: &memory) { pointer in
      var list = UnsafeMutableMIDIPacketListPointer(
        pointer, byteSize: MemoryLayout<MIDIPacketList>.size)
      list.append(timestamp: 7, data: [0xF0, 1, 0xF7])
      list.append(timestamp: 7, data: [0x90, 1, 2])
      #expect(list.count == 2 && list.listSizeInBytes == 272 && list.lastPacket != nil)
      #expect(list.map { Array($0.bytes()) } == [[0xF0, 1, 0xF7], [0x90, 1, 2]])
      #expect(pointer.unsafeSequence().count == 2)
    }
    #expect(memory.numPackets == 2)
    #expect(UnsafeMutableMIDIPacketListPointer(nil, byteSize: 272) == nil)
  }

  @Test func `A list with packets that are not aligned is read to its end`() {
    let list = MIDIPacketList.Builder(byteSize: 4096)
    let bytes = (1...40).map { count in (0..<count).map { UInt8(0x80 | $0 & 0x3F) } }
    for (index, data) in bytes.enumerated() {
      list.append(timestamp: MIDITimeStamp(index + 1) << 40, data: [0xF0] + data)
    }
    list.withUnsafePointer { pointer in
      let read = pointer.unsafeSequence().map { Array($0.bytes()) }
      #expect(read == bytes.map { [0xF0] + $0 })
    }
  }

  @Test func `A notification has the name of the property`() async {
    let names = Mutex<[String]>([])
    var client: MIDIClientRef = 0
    MIDIClientCreateWithBlock("names" as CFString, &client) { message in
      guard message.pointee.messageID == .msgPropertyChanged else { return }
      message.withMemoryRebound(to: MIDIObjectPropertyChangeNotification.self, capacity: 1) {
        let name = $0.pointee.propertyName.takeUnretainedValue() as String
        names.withLock { $0.append(name) }
      }
    }
    var source: MIDIEndpointRef = 0
    MIDISourceCreate(client, "names" as CFString, &source)
    MIDIObjectSetStringProperty(source, kMIDIPropertyModel, "x" as CFString)
    await wait { names.withLock { $0.contains("model") } }
    #expect(names.withLock { $0.contains("model") })
    MIDIClientDispose(client)
  }

  @Test func `Fields of structs have Apple's types`() {
    let name = "model" as CFString
    var change = MIDIObjectPropertyChangeNotification(
      messageID: .msgPropertyChanged, messageSize: 24, object: 1, objectType: .source,
      propertyName: Unmanaged.passUnretained(name))
    #expect(change.propertyName.takeUnretainedValue() == name)
    change.propertyName = Unmanaged.passUnretained(kMIDIPropertyName)
    #expect(change.propertyName.takeUnretainedValue() as String == "name")
    #expect((MIDIObjectPropertyChangeNotification().propertyName.takeUnretainedValue()).length == 0)
    #expect(MemoryLayout<MIDIObjectPropertyChangeNotification>.size == 24)
    #expect(MemoryLayout<MIDISysexSendRequest>.size == 40)
    var params = MIDIThruConnectionParams()
    MIDIThruConnectionParamsInitialize(&params)
    #expect(MIDIThruConnectionParamsSize(&params) == MemoryLayout<MIDIThruConnectionParams>.size)
    params.numControlTransforms = 2
    params.numMaps = 3
    #expect(
      MIDIThruConnectionParamsSize(&params)
        == MemoryLayout<MIDIThruConnectionParams>.size + 2 * 8 + 3 * 128)
    #expect(MIDINotificationMessageID.msgInternalStart.rawValue == 0x1000)
    #expect(kMIDIPropertyNameConfigurationDictionary as String == "nameConfigurationDictionary")
  }
}

// SPDX-License-Identifier: Apache-2.0
import CoreMIDI
import Testing

/// Packet lists, byte by byte.
@Suite struct MIDIPacketListTests {
  @Test func `A packet has its bytes after time and length, a list its packets after a count`() {
    #expect(MemoryLayout<MIDIPacket>.size == 268)
    #expect(MemoryLayout<MIDIPacketList>.size == 272)
    #expect(MemoryLayout<MIDIPacket>.alignment == 4)
    #expect(MemoryLayout<MIDIPacketList>.offset(of: \.packet) == 4)
    #expect(MemoryLayout<MIDIPacket>.offset(of: \.data) == 10)
  }

  @Test func `Added packets follow each other, and events with the same time share a packet`() {
    var list = MIDIPacketList()
    var packet = MIDIPacketListInit(&list)
    let size = MemoryLayout<MIDIPacketList>.size
    packet = MIDIPacketListAdd(&list, size, packet, 5, 3, [0x90, 60, 100])
    packet = MIDIPacketListAdd(&list, size, packet, 5, 3, [0x90, 64, 100])
    packet = MIDIPacketListAdd(&list, size, packet, 6, 3, [0x80, 60, 0])
    #expect(list.numPackets == 2)
    let bytes = withUnsafeBytes(of: list) { Array($0) }
    #expect(bytes[0..<4] == [2, 0, 0, 0])
    #expect(bytes[4..<14] == [5, 0, 0, 0, 0, 0, 0, 0, 6, 0])
    #expect(bytes[14..<20] == [0x90, 60, 100, 0x90, 64, 100])
    #if arch(arm64)
      let second = 20
    #else
      let second = 20
    #endif
    #expect(bytes[second..<second + 13] == [6, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0x80, 60, 0])
  }

  @Test func `A system exclusive message is always in a separate packet`() {
    var list = MIDIPacketList()
    var packet = MIDIPacketListInit(&list)
    packet = MIDIPacketListAdd(&list, 272, packet, 0, 3, [0x90, 60, 100])
    packet = MIDIPacketListAdd(&list, 272, packet, 0, 3, [0xF0, 1, 0xF7])
    packet = MIDIPacketListAdd(&list, 272, packet, 0, 3, [0x80, 60, 0])
    #expect(list.numPackets == 3)
  }

  @Test func `Adding to a full list, or to null, returns null`() {
    var list = MIDIPacketList()
    var packet = MIDIPacketListInit(&list)
    let long = [UInt8](repeating: 0xF8, count: 250)
    packet = MIDIPacketListAdd(&list, 272, packet, 1, long.count, long)
    #expect(Int(bitPattern: packet) != 0)
    packet = MIDIPacketListAdd(&list, 272, packet, 2, 9, long)
    #expect(Int(bitPattern: packet) == 0)
    packet = MIDIPacketListAdd(&list, 272, packet, 2, 1, long)
    #expect(Int(bitPattern: packet) == 0)
    #expect(list.numPackets == 1)
  }

  @Test func `No size of list or data causes a write beyond the list`() {
    var list = MIDIPacketList()
    for size in [0, 1, 4, 13, 14, 15, 17, 20, 272] {
      let packet = MIDIPacketListInit(&list)
      let data = [UInt8](repeating: 0xF8, count: 70_000)
      for count in [1, 3, 256, 257, 65_535, 65_536, 70_000] {
        let added = MIDIPacketListAdd(&list, size, packet, 1, count, data)
        #expect(
          (Int(bitPattern: added) != 0)
            == (14 + count <= size
              || list.numPackets > 0 && 14 + count + Int(list.packet.length) <= size))
        if Int(bitPattern: added) != 0 { break }
      }
    }
  }
}

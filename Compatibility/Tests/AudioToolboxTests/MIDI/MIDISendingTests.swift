// SPDX-License-Identifier: Apache-2.0
import CoreMIDI
import Foundation
import Synchronization
import TestSupport
import Testing

/// Packets between endpoints of one process.
@Suite struct MIDISendingTests {
  static let note: [UInt8] = [0x90, 60, 100]
  static let end: [UInt8] = [0x80, 60, 0]

  @Test func `Packets with time 0 arrive at once`() async {
    let studio = MIDIStudio()
    let before = mach_absolute_time()
    #expect(studio.send([(0, Self.note)]) == 0)
    let packets = await studio.arrived.wait(for: 1)
    #expect(packets.map(\.bytes) == [Self.note])
    #expect(packets.allSatisfy { $0.time >= before && $0.connection == 0 })
  }

  @Test func `Packets with a later time arrive at that time, in order`() async {
    let studio = MIDIStudio()
    let now = mach_absolute_time()
    // Both calls are made before the first packet is due, also on a busy machine.
    studio.send([(now + 1_500_000_000, Self.end)])
    studio.send([(now + 1_000_000_000, Self.note)])
    let packets = await studio.arrived.wait(for: 2)
    #expect(packets.map(\.bytes) == [Self.note, Self.end])
    #expect(packets.map(\.time) == [now + 1_000_000_000, now + 1_500_000_000])
    #expect(packets.allSatisfy { $0.heard >= $0.time })
  }

  @Test func `A destination that schedules packets itself receives them at once`() async {
    let studio = MIDIStudio()
    MIDIObjectSetIntegerProperty(studio.destination, kMIDIPropertyAdvanceScheduleTimeMuSec, 1)
    let later = mach_absolute_time() + 3_600_000_000_000
    studio.send([(later, Self.note)])
    let packets = await studio.arrived.wait(for: 1)
    #expect(packets.map(\.time) == [later])
    #expect(packets.allSatisfy { $0.heard < later })
  }

  @Test func `A source sends to connected ports, with the pointer of the connection`() async {
    let studio = MIDIStudio()
    studio.emit([(1, Self.note)])
    #expect(
      MIDIPortConnectSource(studio.input, studio.source, UnsafeMutableRawPointer(bitPattern: 7))
        == 0)
    // Times are passed on unchanged.
    studio.emit([(0, Self.note), (9, Self.end)])
    let packets = await studio.received.wait(for: 2)
    #expect(packets.map(\.bytes) == [Self.note, Self.end])
    #expect(packets.map(\.time) == [0, 9])
    #expect(packets.allSatisfy { $0.connection == 7 })
    #expect(MIDIPortDisconnectSource(studio.input, studio.source) == 0)
    #expect(MIDIPortDisconnectSource(studio.input, studio.source) == kMIDINoConnection)
    studio.emit([(0, Self.note)])
    studio.send([(0, Self.note)])
    _ = await studio.arrived.wait(for: 1)
    #expect(studio.received.all.count == 2)
  }

  @Test func `Long lists and long messages arrive completely`() async {
    let studio = MIDIStudio()
    let long = [0xF0] + [UInt8](repeating: 1, count: 40_000) + [0xF7]
    studio.send([(0, long)])
    studio.send((0..<3000).map { (UInt64($0 + 1), [0x90, UInt8($0 % 128), 1]) })
    let packets = await studio.arrived.wait(for: 3001)
    #expect(packets.first?.bytes == long)
    #expect(packets.dropFirst().map(\.bytes[1]) == (0..<3000).map { UInt8($0 % 128) })
  }

  @Test func `Flushing cancels later packets and releases sounding notes`() async {
    let studio = MIDIStudio()
    // Later than a busy machine takes to call the flush.
    let later = mach_absolute_time() + 3_600_000_000_000
    studio.send([
      (0, Self.note), (later, Self.end), (later + 1, [0x90, 62, 1]), (later + 2, [0x80, 62, 0]),
    ])
    _ = await studio.arrived.wait(for: 1)
    #expect(MIDIFlushOutput(studio.destination) == 0)
    let packets = await studio.arrived.wait(for: 2)
    #expect(packets.map(\.bytes) == [Self.note, Self.end])
    try? await Task.sleep(for: .milliseconds(50))
    #expect(studio.arrived.all.count == 2)
  }

  @Test func `A SysEx message is sent in pieces, and its request shows the progress`() async {
    let studio = MIDIStudio()
    MIDIObjectSetIntegerProperty(studio.destination, kMIDIPropertyMaxSysExSpeed, 50_000)
    let bytes = [0xF0] + (0..<1000).map { UInt8($0 % 128) } + [0xF7]
    let data = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
    data.update(from: bytes, count: bytes.count)
    let request = UnsafeMutablePointer<MIDISysexSendRequest>.allocate(capacity: 1)
    let over = SysExOver()
    request.initialize(
      to: MIDISysexSendRequest(
        destination: studio.destination, data: UnsafePointer(data),
        bytesToSend: UInt32(bytes.count), complete: false, reserved: (0, 0, 0),
        completionProc: { request in
          guard let data = request.pointee.completionRefCon else { return }
          Unmanaged<SysExOver>.fromOpaque(data).takeUnretainedValue().count.withLock { $0 += 1 }
        }, completionRefCon: Unmanaged.passUnretained(over).toOpaque()))
    #expect(MIDISendSysex(request) == 0)
    await wait { over.count.withLock { $0 } > 0 }
    #expect(over.count.withLock { $0 } == 1)
    #expect(request.pointee.complete.boolValue)
    #expect(request.pointee.bytesToSend == 0)
    #expect(request.pointee.data == UnsafePointer(data + bytes.count))
    #expect(studio.arrived.bytes.flatMap(\.self) == bytes)
    #expect(studio.arrived.all.count == 4)
    request.deallocate()
    data.deallocate()
  }

  @Test func `Handles that are nil, stale or of other objects give error codes`() {
    let studio = MIDIStudio()
    MIDIStudio.with([(0, Self.note)]) { list in
      for wrong in [0, 1, studio.client, studio.input, .max] {
        #expect(MIDISend(wrong, studio.destination, list) == kMIDIInvalidPort)
      }
      for wrong in [0, 1, studio.client, studio.input, .max] {
        #expect(MIDISend(studio.output, wrong, list) == kMIDIUnknownEndpoint)
        #expect(MIDIReceived(wrong, list) == kMIDIUnknownEndpoint)
      }
      #expect(MIDISend(studio.output, studio.source, list) == kMIDIWrongEndpointType)
      #expect(MIDIReceived(studio.destination, list) == kMIDIWrongEndpointType)
    }
    #expect(MIDIPortConnectSource(studio.output, studio.source, nil) == kMIDIInvalidPort)
    #expect(MIDIPortConnectSource(studio.input, studio.destination, nil) == kMIDIWrongEndpointType)
    #expect(MIDIPortConnectSource(studio.input, 77, nil) == kMIDIUnknownEndpoint)
    #expect(MIDIFlushOutput(studio.source) == kMIDIWrongEndpointType)
    #expect(MIDIFlushOutput(77) == kMIDIUnknownEndpoint)
    var port: MIDIPortRef = 9
    #expect(MIDIOutputPortCreate(studio.input, "x" as CFString, &port) == kMIDIInvalidClient)
    #expect(port == 0)
    #expect(MIDIEndpointDispose(studio.destination) == 0)
    #expect(MIDIEndpointDispose(studio.destination) == kMIDIUnknownEndpoint)
    #expect(studio.send([(0, Self.note)]) == kMIDIUnknownEndpoint)
    #expect(MIDIPortDispose(studio.output) == 0)
    #expect(MIDIPortDispose(studio.output) == kMIDIInvalidPort)
    #expect(MIDIClientDispose(studio.client) == 0)
    #expect(MIDIClientDispose(studio.client) == kMIDIInvalidClient)
    #expect(MIDIPortDispose(studio.input) == kMIDIInvalidPort)
  }

  private final class SysExOver: Sendable {
    let count = Mutex(0)
  }
}

// SPDX-License-Identifier: Apache-2.0
import CoreAudio
import CoreMIDI
import Foundation
import Synchronization
import TestSupport

/// The packets that a reader has received, in order.
final class MIDIInbox: Sendable {
  struct Packet: Hashable, Sendable {
    var time: MIDITimeStamp
    var bytes: [UInt8]
    var connection: Int
    /// The host time at which the reader was called.
    var heard: UInt64
  }

  private let packets = Mutex<[Packet]>([])

  /// The number of packets that begin with a byte.
  func count(of kind: UInt8) -> Int {
    packets.withLock { packets in packets.count { $0.bytes[0] == kind } }
  }

  var all: [Packet] { packets.withLock { $0 } }
  var bytes: [[UInt8]] { all.map(\.bytes) }

  func take(_ list: UnsafePointer<MIDIPacketList>, _ connection: UnsafeMutableRawPointer?) {
    let heard = mach_absolute_time()
    var packet = CoreAudioFirstPacket(list)
    for _ in 0..<list.pointee.numPackets {
      let bytes = UnsafeBufferPointer(
        start: CoreAudioPacketBytes(packet), count: Int(CoreAudioPacketLength(packet)))
      let new = Packet(
        time: CoreAudioPacketTime(packet), bytes: Array(bytes),
        connection: Int(bitPattern: connection), heard: heard)
      // A new array each time: other threads may be reading a copy of the old one, and the thread
      // sanitizer cannot see when they have finished.
      packets.withLock { $0 = $0 + [new] }
      packet = UnsafePointer(MIDIPacketNext(packet))
    }
  }

  /// Waits until a number of packets have arrived, at most one minute.
  func wait(for count: Int) async -> [Packet] {
    await TestSupport.wait { packets.withLock(\.count) >= count }
    return all
  }
}

/// A client with a destination, a source and two ports, all in this process.
final class MIDIStudio {
  var client: MIDIClientRef = 0
  var source: MIDIEndpointRef = 0
  var destination: MIDIEndpointRef = 0
  var output: MIDIPortRef = 0
  var input: MIDIPortRef = 0
  let arrived = MIDIInbox()
  let received = MIDIInbox()

  init(_ name: String = "studio") {
    let arrived = arrived
    let received = received
    MIDIClientCreate(name as CFString, nil, nil, &client)
    MIDISourceCreate(client, "\(name) source" as CFString, &source)
    MIDIDestinationCreateWithBlock(client, "\(name) destination" as CFString, &destination) {
      arrived.take($0, $1)
    }
    MIDIOutputPortCreate(client, "out" as CFString, &output)
    MIDIInputPortCreateWithBlock(client, "in" as CFString, &input) { received.take($0, $1) }
  }

  deinit {
    MIDIClientDispose(client)
  }

  /// Calls a closure with a list of packets.
  static func with<Result>(
    _ packets: [(MIDITimeStamp, [UInt8])], _ body: (UnsafePointer<MIDIPacketList>) -> Result
  ) -> Result {
    let size = 65_536
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
    defer { memory.deallocate() }
    let list = memory.bindMemory(to: MIDIPacketList.self, capacity: 1)
    var packet = MIDIPacketListInit(list)
    for (time, bytes) in packets {
      packet = MIDIPacketListAdd(list, size, packet, time, bytes.count, bytes)
    }
    return body(list)
  }

  @discardableResult
  func send(_ packets: [(MIDITimeStamp, [UInt8])]) -> OSStatus {
    Self.with(packets) { MIDISend(output, destination, $0) }
  }

  @discardableResult
  func emit(_ packets: [(MIDITimeStamp, [UInt8])]) -> OSStatus {
    Self.with(packets) { MIDIReceived(source, $0) }
  }
}

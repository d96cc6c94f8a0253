// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CoreMIDI
import Foundation

/// Tells what comes, with the milliseconds since the first.
final class Receiver: @unchecked Sendable {
  // Unchecked: all readers are called on one thread.
  private var client: MIDIClientRef = 0
  private var port: MIDIPortRef = 0
  private var destination: MIDIEndpointRef = 0
  private var first: MIDITimeStamp = 0

  init(from name: String) {
    MIDIClientCreate("receiver" as CFString, nil, nil, &client)
    MIDIInputPortCreateWithBlock(client, "in" as CFString, &port) { [self] list, connection in
      take(list, "source \(Int(bitPattern: connection))")
    }
    MIDIDestinationCreateWithBlock(client, "receiving" as CFString, &destination) {
      [self] list, _ in take(list, "own")
    }
    let source = Directory.wait(for: name) { Directory.sources }
    let mark = UnsafeMutableRawPointer(bitPattern: 7)
    CoreMIDIProbe.check(MIDIPortConnectSource(port, source, mark), "connect")
    CoreMIDIProbe.say("ready")
  }

  private func take(_ list: UnsafePointer<MIDIPacketList>, _ place: String) {
    let now = mach_absolute_time()
    var packet = CoreAudioFirstPacket(list)
    for _ in 0..<list.pointee.numPackets {
      let time = CoreAudioPacketTime(packet)
      let bytes = UnsafeBufferPointer(
        start: CoreAudioPacketBytes(packet), count: Int(CoreAudioPacketLength(packet)))
      if first == 0 { first = time }
      let milliseconds = Double(Int64(time) - Int64(first)) / 1e6
      let isPast = time <= now && now - time < 1_000_000_000
      CoreMIDIProbe.say(
        place, bytes.map { String($0, radix: 16) }.joined(separator: " "),
        Int(milliseconds.rounded()), isPast ? "past" : "not past")
      packet = UnsafePointer(MIDIPacketNext(packet))
    }
  }

  func run() -> Never {
    while true { CoreMIDIProbe.sleep(1) }
  }
}

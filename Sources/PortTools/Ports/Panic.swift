// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
package import CommandKit
internal import JSONText
internal import MIDIMessages
internal import MIDIPorts
internal import MusicalTime
internal import Realtime

/// The command `downbeat panic`, which silences instruments.
package struct Panic: ReportingCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "panic", abstract: "Silence all notes on the given ports, or on all ports.",
    discussion: """
      Sends these messages on each channel: pedals up, all sound off, all notes off, reset all \
      controllers, pitch bend centred, and a note-off for each of the 128 keys, for instruments \
      that ignore the other messages. Sending takes two seconds, at the speed of a MIDI cable; \
      sound stops after about 0.1 s.
      """)

  @OptionGroup package var ports: PortOptions
  @OptionGroup package var report: JSONOption

  /// The interval between messages in nanoseconds: the time of three bytes on a MIDI cable.
  ///
  /// It is also used for ports of programs: a slow program would lose messages beyond its queue of
  /// 200 events, and a program may forward them to a cable.
  private static let spacing: Int64 = 960_000

  package func run() throws {
    let signals = SignalWatch()
    let system = PortSystem.named()
    let loop = try RunLoop(signals)
    var targets = try ports.endpoints(.destination, of: system, loop: loop)
    if ports.texts.isEmpty {
      // Sessions on the network are not invited for this.
      targets = try system.peers().endpoints(.destination).filter { $0.kind != .rtp }
    }
    let outputs = try OutputPorts(["panic"], to: targets, of: system)
    try JSONReport.begin([
      ("port", .text("\(outputs.members[0].port)")), ("ports", PortReport.json(targets)),
    ])
    try sendAll(to: outputs)
  }

  private func sendAll(to ports: OutputPorts) throws {
    var buffer = HostEventBuffer(capacity: 16 * 140)
    var time = HostTime(nanoseconds: DeadlineWait.now)
    for message in Self.resets + Self.releases {
      buffer.append(HostEvent(time: time, payload: .message(message)))
      time = time.advanced(byNanoseconds: Self.spacing)
    }
    var feed = PortFeed(ports)
    while feed.sent < buffer.events.count {
      JSONReport.count(try feed.send(buffer))
      if feed.sent < buffer.events.count {
        DeadlineWait.sleep(until: DeadlineWait.now + 10_000_000)
      }
    }
    guard ports.drain(within: .nanoseconds(time.nanoseconds - DeadlineWait.now + 1_000_000_000))
    else {
      throw Failure(.ioError, "ports: the messages could not be sent in time")
    }
  }

  /// The messages that silence most instruments at once, by channel.
  static var resets: [Message] {
    Channel.all.flatMap { channel -> [Message] in
      (Controller.pedals + [.allSoundOff, .allNotesOff, .resetAll])
        .map { .control(channel, $0, value: 0) } + [.bend(channel, 8192)]
    }
  }

  private static var releases: [Message] {
    Channel.all.flatMap { channel in
      (0..<128).map { .noteOff(channel, Key(UInt8($0))) }
    }
  }
}

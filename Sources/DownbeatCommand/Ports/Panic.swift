// SPDX-License-Identifier: Apache-2.0
internal import ALSAMIDI
internal import ArgumentParser
internal import MIDIMessages
internal import MusicalTime
internal import Realtime

/// Silences instruments.
struct Panic: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Silence everything on ports, or on all of them.",
    discussion: """
      On each channel: pedals up, all sound off, all notes off, controllers reset, the bend \
      centred, and a release for each of the 128 keys, for instruments that know nothing else. \
      A MIDI cable takes two seconds for it.
      """)

  @OptionGroup var ports: PortOptions

  /// Nanoseconds between messages: what a cable takes for three bytes; and what a program's
  /// queue of 200 events stands.
  private static let hardwareSpacing: Int64 = 960_000
  private static let softwareSpacing: Int64 = 100_000

  func run() throws {
    let signals = SignalWatch()
    let client = try ALSAClient()
    let wait = try SignalWait(signals)
    var targets = try ports.endpoints(.destination, of: client, signals: wait)
    if ports.texts.isEmpty {
      targets = try client.endpoints().without(client: client.number).endpoints(.destination)
    }
    let port = try OutputPort(client, name: "panic")
    for target in targets { try port.connect(to: target) }
    let isHardware = targets.contains(where: \.isHardware)
    try send(to: port, spacing: isHardware ? Self.hardwareSpacing : Self.softwareSpacing)
  }

  private func send(to port: OutputPort, spacing: Int64) throws {
    var buffer = EventBuffer(capacity: 16 * 140)
    var time = HostTime(nanoseconds: DeadlineWait.now)
    for message in Self.resets + Self.releases {
      buffer.append(TimedEvent(time: time, payload: .message(message)))
      time = time.advanced(byNanoseconds: spacing)
    }
    var sent = 0
    while sent < buffer.events.count {
      sent += try port.send(buffer, from: sent)
      if sent < buffer.events.count { DeadlineWait.sleep(until: DeadlineWait.now + 10_000_000) }
    }
    guard try port.drain(until: time.advanced(byNanoseconds: 1_000_000_000)) else {
      throw Failure(.ioError, "ports: the messages did not leave")
    }
  }

  /// What silences most instruments at once, channel by channel.
  static var resets: [Message] {
    Channel.all.flatMap { channel -> [Message] in
      [.sustain, .sostenuto, .soft, .allSoundOff, .allNotesOff, .resetAll]
        .map { .control(channel, $0, value: 0) } + [.bend(channel, 8192)]
    }
  }

  private static var releases: [Message] {
    Channel.all.flatMap { channel in
      (0..<128).map { .noteOff(channel, Key(UInt8($0))) }
    }
  }
}

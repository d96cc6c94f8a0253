// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicSequences
internal import MusicalTime
internal import Realtime
internal import TerminalViews

/// What has come in on each channel, as it is shown: program, notes that are held, how hard the
/// last was struck.
struct PortActivity {
  /// How long a stroke is seen, in nanoseconds.
  private static let decay = 1.0e9
  private static let heldLevel = 0.3

  private struct Row {
    var program: UInt8 = 0
    var held = Set<UInt8>()
    var velocity: UInt8 = 0
    var time: Int64 = 0
    var isUsed = false
  }

  private var rowsOfAll = [Row](repeating: Row(), count: 16)
  /// The notes that were struck so far.
  private(set) var noteCount = 0

  /// Takes what came in.
  mutating func take(_ events: borrowing HostEventBuffer) {
    for event in events.events {
      if case .message(let message) = event.payload { take(message) }
    }
  }

  /// Takes a message of a channel.
  mutating func take(_ message: Message) {
    if let channel = message.channel { take(message, Int(channel.index)) }
  }

  /// Lets go of all that is held.
  mutating func letGo() {
    for index in rowsOfAll.indices { rowsOfAll[index].held = [] }
  }

  /// The program of each channel.
  var programs: [UInt8] { rowsOfAll.map(\.program) }

  private mutating func take(_ message: Message, _ index: Int) {
    var row = rowsOfAll[index]
    defer { rowsOfAll[index] = row }
    row.isUsed = true
    switch message.kind {
    case .noteOn(_, let key, let velocity) where velocity > 0:
      noteCount += 1
      row.held.insert(key.number)
      (row.velocity, row.time) = (velocity, DeadlineWait.now)
    case .noteOn(_, let key, _), .noteOff(_, let key, _): row.held.remove(key.number)
    case .program(_, let program): row.program = program
    default: break
    }
  }

  /// The channels on which anything came.
  var channels: [Channel] { Channel.all.filter { rowsOfAll[Int($0.index)].isUsed } }

  /// What is shown of them, of which some may not be heard.
  func rows(_ heard: HeardChannels = HeardChannels()) -> [LiveState.ChannelRow] {
    channels.map { channel in
      let row = rowsOfAll[Int(channel.index)]
      let age = Double(DeadlineWait.now - row.time) / Self.decay
      let fading = max(1 - age, row.held.isEmpty ? 0 : Self.heldLevel)
      return .init(
        number: channel.number, name: ProgramWords.name(row.program, on: channel),
        level: Double(row.velocity) / 127 * fading, isActive: !row.held.isEmpty,
        isMuted: heard.muted.contains(channel, port: 0),
        isSoloed: heard.soloed.contains(channel, port: 0),
        isHeard: heard.heard.contains(channel, port: 0))
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
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

  private var channels = [Row](repeating: Row(), count: 16)
  /// The notes that were struck so far.
  private(set) var noteCount = 0

  /// Takes what came in.
  mutating func take(_ events: borrowing HostEventBuffer) {
    for event in events.events {
      guard case .message(let message) = event.payload, let channel = message.channel else {
        continue
      }
      take(message, Int(channel.index))
    }
  }

  private mutating func take(_ message: Message, _ index: Int) {
    var row = channels[index]
    defer { channels[index] = row }
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
  var rows: [LiveState.ChannelRow] {
    Channel.all.compactMap { channel in
      let row = channels[Int(channel.index)]
      guard row.isUsed else { return nil }
      let age = Double(DeadlineWait.now - row.time) / Self.decay
      let fading = max(1 - age, row.held.isEmpty ? 0 : Self.heldLevel)
      return .init(
        number: channel.number, name: ProgramWords.name(row.program, on: channel),
        level: Double(row.velocity) / 127 * fading, isActive: !row.held.isEmpty)
    }
  }
}

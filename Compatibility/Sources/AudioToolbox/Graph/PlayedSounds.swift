// SPDX-License-Identifier: Apache-2.0
internal import Downbeat
internal import MIDIMessages
internal import SequencePlayback

/// The sounds that a player will need from instruments, which are read before it starts.
struct PlayedSounds: Sendable {
  /// All events of the player, in order.
  let events: EventBuffer
  /// The distinct program and bank changes, and the channels that have notes.
  private let choices: Set<UInt32>

  /// - Complexity: O(n) in the number of events.
  init(_ score: PlayerScore) throws {
    events = try score.everything()
    var choices: Set<UInt32> = []
    for event in events.events {
      guard case .message(let message) = event.payload else { continue }
      let (status, data) = (UInt32(message.status), UInt32(message.data1))
      switch message.status & 0xF0 {
      case 0x90: choices.insert(status)
      case 0xB0 where message.data1 == 0 || message.data1 == 32:
        choices.insert(status << 16 | data << 8 | UInt32(message.data2))
      case 0xC0: choices.insert(status << 16 | data)
      default: break
      }
    }
    self.choices = choices
  }

  /// True if `others` include these sounds.
  func areAmong(_ others: Self) -> Bool { choices.isSubset(of: others.choices) }
}

// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicSequences

/// A part while it is being written: its notes and other events, and what holds on.
struct PartDraft {
  /// A note before swing and looseness are applied.
  struct DraftNote {
    var start: Int64
    var length: Int64
    var key: Int
    var velocity: Int64
    /// The part of the length that sounds, in per cent.
    var gate: Int64
    let channel: Channel
    let feel: Feel
  }

  /// How far the playing departs from the written.
  struct Feel: Hashable {
    /// Where the second of two `swingUnit`s falls, in per cent of both: 50 is even.
    var swing: Int64 = 50
    var swingUnit: Int64
    /// The most by which velocity and start vary.
    var velocityRange: Int64 = 0
    var timeRange: Int64 = 0
  }

  enum Content {
    case message(Message)
    case text(MetaKind, String)
    case parameter(ParameterEvent)
  }

  enum MetaKind { case lyric, text }

  let name: String
  var channel: Channel
  var state: PartState
  var feel: Feel
  var notes: [DraftNote] = []
  var events: [(tick: Int64, content: Content)] = []
  /// The unit that the part is played by, or whose parameters it moves.
  var unit: String?
  /// Syllables to be sung to the notes that follow.
  var syllables: ArraySlice<String> = []

  /// Whether the part only moves parameters, each in lines from point to point.
  var isAutomation: Bool {
    var known: Set<UInt32> = []
    return notes.isEmpty && !events.isEmpty
      && events.allSatisfy { event in
        guard case .parameter(let change) = event.content else { return false }
        return known.insert(change.parameter).inserted || change.isRamp
      }
  }

  /// The latest event of a parameter, and when it is.
  func lastParameter(_ number: UInt32) -> (tick: Int64, event: ParameterEvent)? {
    for (tick, content) in events.reversed() {
      if case .parameter(let event) = content, event.parameter == number { return (tick, event) }
    }
    return nil
  }

  init(name: String, channel: Channel, ticksPerWhole: Int64) {
    self.name = name
    self.channel = channel
    state = PartState(ticksPerWhole: ticksPerWhole)
    feel = Feel(swingUnit: max(1, ticksPerWhole / 8))
  }
}

// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicSequences

/// A part that is being written: its notes and other events, and the current settings.
struct PartDraft {
  /// A note before swing and deviations are applied.
  struct DraftNote {
    var start: Int64
    var length: Int64
    var key: Int
    var velocity: Int64
    /// The audible share of the length, in per cent.
    var gate: Int64
    let channel: Channel
    let feel: Feel
  }

  /// The difference between the played and the written music.
  struct Feel: Hashable {
    /// The position of the second of two `swingUnit`s, in per cent of both; 50 is even.
    var swing: Int64 = 50
    var swingUnit: Int64
    /// The largest deviations of velocity and start.
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
  /// The unit that plays the part, or whose parameters it changes.
  var unit: String?
  /// Syllables for the notes that follow.
  var syllables: ArraySlice<String> = []

  /// True if the part only changes parameters, each in ramps from point to point.
  var isAutomation: Bool {
    var known: Set<UInt32> = []
    return notes.isEmpty && !events.isEmpty
      && events.allSatisfy { event in
        guard case .parameter(let change) = event.content else { return false }
        return known.insert(change.parameter).inserted || change.isRamp
      }
  }

  /// The latest event of a parameter, and its tick.
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

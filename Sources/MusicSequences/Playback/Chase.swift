// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// The least messages that put every channel into the state it has at a tick.
///
/// Sent to an instrument in its initial state they have the effect of everything before the tick,
/// notes aside: bank and program, controllers, registered and non-registered parameters with the
/// selection that is current, bend, and pressure. What the sequence never touched is left out.
///
/// A parameter of a unit that a ramp is moving has the value on the way. Tempi are steps, also where
/// they stand close together as a ramp: the one in force counts.
///
/// Reset All Controllers is sent where it occurred, followed by what survives it or came later.
///
/// Source: MIDI 1.0 Detailed Specification 4.2.1; Response to Reset All Controllers (RP-015).
public struct Chase: Sendable {
  /// The messages, channel by channel.
  public let messages: [Message]
  /// The SysEx messages before the tick, in order: the last of those that are alike.
  public let sysExes: [CursorEvent]
  /// The parameters of units, track by track in the order in which they were first set.
  public let parameters: [Parameter]
  /// The tempo in force at the tick.
  public let tempo: Tempo

  /// A unit's parameter and its value at the tick.
  public struct Parameter: Hashable, Sendable {
    /// The index of the track, whose destination is the unit.
    public let track: Int
    /// The parameter and the value to set at once.
    public let event: ParameterEvent
  }

  /// Finds the state of a sequence at a tick, before the events of the tick itself.
  ///
  /// - Parameters:
  ///   - sequence: The sequence.
  ///   - tick: The tick that playing goes on from.
  ///   - setsDefaults: Whether what the sequence changes only later is set to its initial value:
  ///     for an instrument that has played on already.
  /// - Complexity: O(n), and O(m log m) for the m events before the tick that are not notes.
  public init(_ sequence: MusicSequence, at tick: Tick, setsDefaults: Bool = false) {
    let bound = UInt64(max(0, tick.value))
    var changes: [Change] = []
    var later = [ChannelState](repeating: ChannelState(), count: 16)
    for (index, track) in sequence.tracks.enumerated() {
      for record in track.records where !record.isNote {
        if record.tick < bound {
          changes.append(Change(record: record, track: index))
        } else if !setsDefaults {
          break
        } else if record.isChannelMessage {
          later[Int(record.status & 0x0F)].apply(record)
        }
      }
    }
    // A stable sort: of one tick the earlier track comes first, as the cursor emits it.
    changes.sort { $0.record.tick < $1.record.tick }
    var states = [ChannelState](repeating: ChannelState(), count: 16)
    for change in changes where change.record.isChannelMessage {
      states[Int(change.record.status & 0x0F)].apply(change.record)
    }
    if setsDefaults { for channel in 0..<16 { states[channel].setDefaults(for: later[channel]) } }
    messages = (0..<16).flatMap { states[$0].messages(on: Channel(index: UInt8($0))) }
    sysExes = Self.lastSysExes(changes, sequence)
    parameters = sequence.tracks.enumerated().flatMap { index, track in
      ParameterChase(track, at: bound).events.map { Parameter(track: index, event: $0) }
    }
    tempo = sequence.tempoChanges.last { $0.tick <= tick }?.tempo ?? .standard
  }

  private struct Change {
    let record: EventRecord
    let track: Int
  }

  private static func lastSysExes(
    _ changes: [Change], _ sequence: MusicSequence
  ) -> [CursorEvent] {
    var seen: Set<[UInt8]> = []
    var events: [CursorEvent] = []
    for change in changes.reversed() where change.record.status == EventRecord.sysEx {
      let track = sequence.tracks[change.track]
      let kind = track.kind(of: change.record)
      guard case .sysEx(let range) = kind, seen.insert(track.payload(range)).inserted else {
        continue
      }
      events.append(
        CursorEvent(
          tick: Tick(Int64(change.record.tick)), track: Int32(change.track), index: -1, kind: kind))
    }
    return events.reversed()
  }
}

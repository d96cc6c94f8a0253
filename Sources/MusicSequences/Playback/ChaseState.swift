// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
internal import MusicalTime

/// The state in which playing a sequence from its beginning up to a tick leaves instruments.
public struct ChaseState: Sendable {
  /// The tick; its own events are not in the state.
  private(set) var tick: UInt64
  private let ports: TrackPorts
  /// Sixteen channels for each port.
  private var channels: [ChannelState]
  /// The SysEx messages since the last reset, that reset included, in order; of several that are
  /// alike only the last.
  public private(set) var sysExes: [CursorEvent] = []
  /// The last change of each parameter that tracks have changed.
  public private(set) var parameters: [CursorEvent] = []
  /// The notes that began before the tick and end after it.
  public private(set) var heldNotes: [HeldNote] = []

  init(at tick: UInt64, _ ports: TrackPorts) {
    self.tick = tick
    self.ports = ports
    channels = Array(repeating: ChannelState(), count: 16 * ports.firstTracks.count)
  }

  /// A message, and a track to whose destination it must go.
  public typealias Routed = (track: Int, message: Message)

  /// The fewest messages that bring the state about in instruments in their initial state.
  public var messages: [Routed] {
    channels.indices.flatMap { routed(channels[$0].messages(on: Self.channel($0)), $0) }
  }

  private func routed(_ messages: [Message], _ index: Int) -> [Routed] {
    messages.map { (ports.firstTracks[index >> 4], $0) }
  }

  private static func channel(_ index: Int) -> Channel {
    Channel(index: UInt8(truncatingIfNeeded: index & 15))
  }

  /// The fewest messages that bring the state about where another state is in force.
  ///
  /// - Parameters:
  ///   - other: the state in force.
  ///   - interruption: what was done to it since.
  /// - Returns: the messages, channel by channel.
  public func messages(after other: ChaseState, _ interruption: Interruption) -> [Routed] {
    channels.indices.flatMap { index -> [Routed] in
      var old = index < other.channels.count ? other.channels[index] : ChannelState()
      if interruption != .none { old.raisePedals(all: interruption == .cut) }
      if interruption == .cut { old.centreBend() }
      return routed(channels[index].messages(after: old, on: Self.channel(index)), index)
    }
  }

  /// What has changed an instrument since its last known state.
  public enum Interruption: Hashable, Sendable {
    /// Nothing.
    case none
    /// Notes were released and the pedals that were held raised.
    case released
    /// Sound was cut as well, every pedal raised, and bends were centred.
    case cut
  }

  /// The SysEx messages that must be sent where another state is in force.
  public func sysExes(after other: ChaseState) -> [CursorEvent] {
    guard sysExes != other.sysExes else { return [] }
    let known = Set(other.sysExes)
    // What was sent since may have undone what this state needs, so all of it is sent again.
    return other.sysExes.allSatisfy(sysExes.contains)
      ? sysExes.filter { !known.contains($0) } : sysExes
  }

  /// Whether a SysEx message of the state puts instruments into their initial state.
  public func isReset(_ event: CursorEvent, in sequence: MusicSequence) -> Bool {
    guard case .sysEx(let range) = event.kind else { return false }
    return SysExReset(sequence.tracks[Int(event.track)].payload(range)) != nil
  }

  /// A change that is not a note, at its tick in the sequence.
  private struct Change {
    let record: EventRecord
    let track: Int
    let index: Int

    /// SysEx goes before controllers.
    var order: Int { record.status == EventRecord.sysEx ? 0 : 1 }
  }

  /// Takes in the events up to a tick.
  mutating func advance(to bound: UInt64, in sequence: MusicSequence) {
    var changes: [Change] = []
    let start = tick
    heldNotes.removeAll { $0.end.value <= Int64(bound) }
    var isSorted = true
    for (index, track) in sequence.tracks.enumerated() {
      var reading = TrackReading(playing: track, from: start)
      let isLater = !changes.isEmpty
      while let record = reading.record, record.tick < bound {
        if record.isNote {
          if record.endTick > bound { hold(record, index, reading.index) }
        } else {
          if isLater { isSorted = false }
          changes.append(Change(record: record, track: index, index: reading.index))
        }
        reading.advance()
      }
    }
    // A stable sort: of one tick the earlier track comes first, as the cursor emits it; and SysEx
    // before controllers.
    if !isSorted || changes.contains(where: { $0.record.hasPayload }) {
      changes.sort { ($0.record.tick, $0.order) < ($1.record.tick, $1.order) }
    }
    for change in changes { apply(change, in: sequence) }
    tick = bound
  }

  private mutating func hold(_ record: EventRecord, _ track: Int, _ index: Int) {
    heldNotes.append(
      HeldNote(
        track: Int32(track), index: Int32(truncatingIfNeeded: index),
        start: Tick(Int64(record.tick)), end: Tick(Int64(record.endTick)),
        strike: Message(record), release: record.releaseMessage))
  }

  private mutating func apply(_ change: Change, in sequence: MusicSequence) {
    let record = change.record
    if record.isChannelMessage {
      channels[16 * ports.ports[change.track] + Int(record.status & 0x0F)].apply(record)
      return
    }
    guard record.status == EventRecord.sysEx || record.status == EventRecord.parameter else {
      return
    }
    let track = sequence.tracks[change.track]
    let event = CursorEvent(
      tick: Tick(Int64(record.tick)), track: Int32(change.track),
      index: Int32(truncatingIfNeeded: change.index), kind: track.kind(of: record))
    switch event.kind {
    case .sysEx(let range): applySysEx(event, track.payload(range), in: sequence)
    case .parameter(let range): applyParameter(event, track.parameter(at: range), in: sequence)
    default: break
    }
  }

  private mutating func applySysEx(
    _ event: CursorEvent, _ bytes: [UInt8], in sequence: MusicSequence
  ) {
    if SysExReset(bytes) != nil {
      let port = ports.ports[Int(event.track)]
      for channel in 16 * port..<16 * port + 16 { channels[channel] = ChannelState() }
      sysExes.removeAll { ports.ports[Int($0.track)] == port }
      sysExes.append(event)
      return
    }
    sysExes.removeAll { old in
      guard case .sysEx(let range) = old.kind else { return false }
      return sequence.tracks[Int(old.track)].payload(range) == bytes
    }
    sysExes.append(event)
  }

  private mutating func applyParameter(
    _ event: CursorEvent, _ change: ParameterEvent?, in sequence: MusicSequence
  ) {
    guard let change else { return }
    parameters.removeAll { old in
      guard old.track == event.track, case .parameter(let range) = old.kind,
        let known = sequence.tracks[Int(old.track)].parameter(at: range)
      else { return false }
      return known.parameter == change.parameter && known.scope == change.scope
        && known.element == change.element
    }
    parameters.append(event)
  }
}

/// A SysEx message that puts every channel into its initial state.
///
/// Source: General MIDI System Level 1 and 2; Roland GS and Yamaha XG specifications.
public enum SysExReset: Hashable, Sendable {
  case generalMIDI
  case generalMIDI2
  case gs
  case xg

  /// Recognises a reset by the bytes between F0 and F7; nil for any other message.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count >= 4 else { return nil }
    switch (bytes[0], bytes.count) {
    case (0x7E, 4) where bytes[2] == 0x09 && bytes[3] == 0x01: self = .generalMIDI
    case (0x7E, 4) where bytes[2] == 0x09 && bytes[3] == 0x03: self = .generalMIDI2
    case (0x41, 9) where Array(bytes[2...]) == [0x42, 0x12, 0x40, 0x00, 0x7F, 0x00, 0x41]:
      self = .gs
    case (0x43, 7) where Array(bytes[2...]) == [0x4C, 0x00, 0x00, 0x7E, 0x00]: self = .xg
    default: return nil
    }
  }
}

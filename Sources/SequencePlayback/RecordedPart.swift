// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicSequences
internal import MusicalTime

/// Received events that become one track of a recording.
///
/// Note-ons and note-offs are paired.
struct RecordedPart {
  /// The properties that the events of one track share.
  struct Identity: Hashable, Comparable {
    var sender: UInt16
    /// The channel, or −1 for all channels and for SysEx.
    var channel: Int

    static func < (left: Identity, right: Identity) -> Bool {
      (left.sender, left.channel) < (right.sender, right.channel)
    }
  }

  let sender: UInt16
  /// The received events, in order; nil for a note that ended before the start.
  private var taken: [TrackEvent?] = []
  /// The latest tick, and the number of events at that tick.
  private var latest = (tick: Tick.zero, count: 0)
  /// The held notes of each channel and key, oldest first.
  private var held: [UInt16: [Strike]] = [:]

  private struct Strike {
    /// The index of the note among the received events.
    let place: Int
    let tick: Tick
    let velocity: UInt8
    let isEarly: Bool
  }

  init(sender: UInt16) {
    self.sender = sender
  }

  /// The events, in the order in which they were received.
  var events: [TrackEvent] { taken.compactMap(\.self) }

  private mutating func count(at tick: Tick) {
    latest = (tick, tick == latest.tick ? latest.count + 1 : 1)
  }

  mutating func take(_ content: TrackEvent.Content, at tick: Tick) {
    count(at: tick)
    taken.append(TrackEvent(content, at: tick))
  }

  /// Adds a channel message; `isEarly` is true if it was received before the start.
  mutating func take(_ message: Message, at tick: Tick, isEarly: Bool) {
    switch message.kind {
    case .noteOn(let channel, let key, let velocity):
      let strike = Strike(
        place: taken.count, tick: tick, velocity: velocity, isEarly: isEarly)
      held[Self.slot(channel, key), default: []].append(strike)
      taken.append(nil)
      count(at: tick)
    case .noteOff(let channel, let key, let velocity):
      let isPlain = message.status & 0xF0 == 0x80
      release(channel, key, isPlain ? velocity : nil, at: tick, isEarly: isEarly)
    default:
      take(.message(message), at: tick)
    }
  }

  /// Ends all held notes.
  mutating func releaseAll(at tick: Tick) {
    for slot in held.keys.sorted() {
      let (channel, key) = (Channel(index: UInt8(slot >> 7)), Key(UInt8(slot & 127)))
      while held[slot]?.isEmpty == false { release(channel, key, 64, at: tick, isEarly: false) }
    }
  }

  /// Ends a note.
  ///
  /// A release without a note-on since the beginning is ignored.
  private mutating func release(
    _ channel: Channel, _ key: Key, _ velocity: UInt8?, at tick: Tick, isEarly: Bool
  ) {
    let slot = Self.slot(channel, key)
    guard let strike = held[slot]?.first else { return }
    held[slot]?.removeFirst()
    if isEarly, strike.isEarly { return }
    let note = Note(
      channel, key, velocity: strike.velocity,
      duration: max(0, tick.value - strike.tick.value), releaseVelocity: velocity,
      eventsBeforeRelease: tick == latest.tick ? min(latest.count, 16_383) : 0)
    taken[strike.place] = TrackEvent(.note(note), at: strike.tick)
  }

  private static func slot(_ channel: Channel, _ key: Key) -> UInt16 {
    UInt16(channel.index) << 7 | UInt16(key.number)
  }
}

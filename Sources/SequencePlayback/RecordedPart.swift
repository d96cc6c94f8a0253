// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicSequences
internal import MusicalTime

/// What becomes one track of a recording: notes are put together from their two ends.
struct RecordedPart {
  /// What events of one track have in common.
  struct Identity: Hashable, Comparable {
    var sender: UInt16
    /// The channel, or −1 for all of them, and for SysEx.
    var channel: Int

    static func < (left: Identity, right: Identity) -> Bool {
      (left.sender, left.channel) < (right.sender, right.channel)
    }
  }

  let sender: UInt16
  /// What came, in order; nil for a note that ended before the start.
  private var taken: [TrackEvent?] = []
  /// The latest tick, and the number of events taken at it.
  private var latest = (tick: Tick.zero, count: 0)
  /// For each channel and key the notes that are held, the oldest first.
  private var held: [UInt16: [Strike]] = [:]

  private struct Strike {
    /// Where the note is among what came.
    let place: Int
    let tick: Tick
    let velocity: UInt8
    let isEarly: Bool
  }

  init(sender: UInt16) {
    self.sender = sender
  }

  /// The events, in the order in which they came.
  var events: [TrackEvent] { taken.compactMap(\.self) }

  private mutating func count(at tick: Tick) {
    latest = (tick, tick == latest.tick ? latest.count + 1 : 1)
  }

  mutating func take(_ content: TrackEvent.Content, at tick: Tick) {
    count(at: tick)
    taken.append(TrackEvent(content, at: tick))
  }

  /// Takes a channel message; `isEarly` says that it came before the start.
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

  /// Ends every note that is held.
  mutating func releaseAll(at tick: Tick) {
    for slot in held.keys.sorted() {
      let (channel, key) = (Channel(index: UInt8(slot >> 7)), Key(UInt8(slot & 127)))
      while held[slot]?.isEmpty == false { release(channel, key, 64, at: tick, isEarly: false) }
    }
  }

  /// The release of a key that was not struck while we listened is nobody's.
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

// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import MIDIMessages
internal import MusicSequences
internal import MusicalTime

/// Converts a track to the types of `MusicSequences`: beats to ticks, and structs to events.
///
/// Only this type does so.
struct TrackTicks {
  /// Returns the tick nearest to a beat.
  let tick: @Sendable (MusicTimeStamp) -> Int64
  /// True if events that only a player supports are included: parameters, user events and notes for
  /// units.
  var isForPlayer = false

  private static let lastTick: Double = 0x7FFF_FFFF_FFFF

  /// Creates a conversion with a fixed number of ticks per beat.
  init(perBeat ticks: Double) {
    tick = { Self.nearest($0 * ticks) }
  }

  /// Creates a conversion with a fixed number of ticks per second, by way of a tempo map.
  init(perSecond ticks: Double, of map: BeatMap) {
    tick = { Self.nearest(map.seconds(atBeat: $0) * ticks) }
  }

  private static func nearest(_ ticks: Double) -> Int64 {
    ticks.isNaN ? 0 : Int64(max(-lastTick, min(ticks.rounded(), lastTick)))
  }

  /// Converts a track, with the events that a `MusicTrack` can hold.
  func track(_ content: TrackContent) -> MusicSequences.MusicTrack {
    var track = MusicSequences.MusicTrack()
    var events: [TrackEvent] = []
    events.reserveCapacity(content.events.count)
    var pairs = NotePairs()
    let repeated = isForPlayer ? content.repeated : nil
    for event in content.events.all {
      guard let event = repeated.map({ $0.part(of: event) }) ?? event else { continue }
      if let told = self.event(event, &pairs, at: events.count) { events.append(told) }
    }
    pairs.close(&events, at: tick(repeated?.end ?? content.length))
    insert(events, into: &track)
    track.explicitLength = (repeated?.end ?? content.explicitLength).map { Tick(tick($0)) }
    if isForPlayer { track.settings = settings(of: content) }
    return track
  }

  /// Inserts all events; events that the track cannot hold are left out.
  private func insert(_ events: [TrackEvent], into track: inout MusicSequences.MusicTrack) {
    do {
      try track.insert(contentsOf: events)
    } catch {
      for event in events {
        do {
          try track.insert(event)
        } catch {
          continue
        }
      }
    }
  }

  private func settings(of content: TrackContent) -> TrackSettings {
    var settings = TrackSettings()
    let loop = tick(content.loop.loopDuration)
    if loop > 0 { settings.loop = .init(length: loop, count: Int(content.loop.numberOfLoops)) }
    if let part = content.repeated {
      let length = tick(part.end) - tick(part.start)
      settings.loop = length > 0 ? .init(length: length, count: part.count) : nil
    }
    settings.offset = tick(content.offset)
    settings.isMuted = content.isMuted
    settings.isSoloed = content.isSoloed
    settings.isAutomation = content.automation != 0
    return settings
  }

  private func event(_ event: BeatEvent, _ pairs: inout NotePairs, at index: Int) -> TrackEvent? {
    let tick = Tick(self.tick(event.time))
    switch event.type {
    case kMusicEventType_MIDINoteMessage:
      return note(event.value(as: MIDINoteMessage.self), event).map {
        TrackEvent(.note($0), at: tick)
      }
    case kMusicEventType_MIDIChannelMessage:
      let message = event.value(as: MIDIChannelMessage.self)
      return pairs.event(
        Message(status: message.status, data1: message.data1 & 0x7F, data2: message.data2 & 0x7F),
        at: tick, index: index)
    case kMusicEventType_MIDIRawData:
      let bytes = event.rawBytes
      let isSysEx = bytes.first == 0xF0
      return TrackEvent(isSysEx ? .sysEx(Array(bytes.dropFirst())) : .packet(bytes), at: tick)
    case kMusicEventType_Meta:
      guard let meta = event.meta, meta.type != 0x2F else { return nil }
      return TrackEvent(.meta(MetaEvent(type: meta.type, bytes: meta.bytes)), at: tick)
    case kMusicEventType_ExtendedTempo: return isForPlayer ? nil : tempo(event, at: tick)
    default: return isForPlayer ? unitEvent(event, at: tick) : nil
    }
  }

  private func note(_ message: MIDINoteMessage, _ event: BeatEvent) -> Note? {
    guard message.velocity > 0 else { return nil }
    return Note(
      Channel(index: message.channel), Key(message.note), velocity: message.velocity,
      duration: tick(event.end) - tick(event.time), releaseVelocity: message.releaseVelocity,
      eventsBeforeRelease: Int(event.eventsBeforeRelease))
  }

  /// A tempo in the form of a MIDI file: whole microseconds per quarter note, in three bytes.
  private func tempo(_ event: BeatEvent, at tick: Tick) -> TrackEvent? {
    guard let bpm = event.tempo else { return nil }
    let length = Int(max(1, min((60e6 / bpm).rounded(), 0xFF_FFFF)))
    let bytes = [16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) }
    return TrackEvent(.meta(MetaEvent(type: 0x51, bytes: bytes)), at: tick)
  }

  private func unitEvent(_ event: BeatEvent, at tick: Tick) -> TrackEvent? {
    switch event.type {
    case kMusicEventType_Parameter:
      let value = event.value(as: CCoreAudio.ParameterEvent.self)
      return TrackEvent(
        .parameter(
          MusicSequences.ParameterEvent(
            parameter: value.parameterID, scope: value.scope, element: value.element,
            value: value.value)), at: tick)
    case kMusicEventType_User: return TrackEvent(.user(UserStamp.bytes(of: event)), at: tick)
    case kMusicEventType_ExtendedNote:
      let value = event.value(as: ExtendedNoteOnEvent.self)
      let key = UInt8(max(0, min(value.extendedParams.mPitch.rounded(), 127)))
      let velocity = UInt8(max(1, min(value.extendedParams.mVelocity.rounded(), 127)))
      return TrackEvent(
        .note(
          Note(
            Channel(index: UInt8(truncatingIfNeeded: value.groupID)), Key(key), velocity: velocity,
            duration: self.tick(event.end) - tick.value)), at: tick)
    default: return nil
    }
  }
}

/// Adds the time of a user event in its track to its bytes, so that a player passes it on.
enum UserStamp {
  static func bytes(of event: BeatEvent) -> [UInt8] {
    var time = event.time.bitPattern
    return unsafe withUnsafeBytes(of: &time) { unsafe Array($0) } + event.rawBytes
  }

  /// The time and bytes, or nil if the bytes are too few.
  static func event(_ bytes: [UInt8]) -> (time: MusicTimeStamp, bytes: ArraySlice<UInt8>)? {
    guard bytes.count >= 8 else { return nil }
    let time = bytes[..<8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return (MusicTimeStamp(bitPattern: time), bytes[8...])
  }
}

/// Combines the note-ons and note-offs that a track stores as channel messages into notes.
struct NotePairs {
  private var open: [UInt16: [Int]] = [:]

  /// The event for a channel message, or nil for a note-off.
  mutating func event(_ message: Message, at tick: Tick, index: Int) -> TrackEvent? {
    let key = UInt16(message.status & 0x0F) << 8 | UInt16(message.data1)
    switch message.status & 0xF0 {
    case 0x90 where message.data2 > 0:
      open[key, default: []].append(index)
      return TrackEvent(
        .note(
          Note(
            Channel(index: message.status), Key(message.data1), velocity: message.data2,
            duration: -1, releaseVelocity: nil)), at: tick)
    case 0x80, 0x90:
      ends.append((key, tick))
      return nil
    default: return TrackEvent(.message(message), at: tick)
    }
  }

  private var ends: [(key: UInt16, tick: Tick)] = []

  /// Sets the end of each note: the first note-off that follows it, or the end of the track.
  mutating func close(_ events: inout [TrackEvent], at end: Int64) {
    for (key, tick) in ends {
      guard let index = open[key]?.first, events[index].tick <= tick else { continue }
      open[key]?.removeFirst()
      Self.end(&events[index], at: tick.value)
    }
    for index in open.values.joined() { Self.end(&events[index], at: end) }
  }

  private static func end(_ event: inout TrackEvent, at tick: Int64) {
    guard case .note(var note) = event.content else { return }
    note.duration = max(0, tick - event.tick.value)
    event.content = .note(note)
  }
}

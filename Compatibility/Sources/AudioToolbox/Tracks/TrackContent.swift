// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
internal import CoreAudioTypes

/// The contents of a track: a value whose copies share memory.
struct TrackContent: Sendable {
  var events = EventList() {
    didSet { edition &+= 1 }
  }
  var loop = MusicTrackLoopInfo(loopDuration: 0, numberOfLoops: 0)
  /// A range that is repeated in place of `loop`.
  var repeated: TrackLoop?
  var offset: MusicTimeStamp = 0
  var isMuted = false
  var isSoloed = false
  var automation: UInt32 = 0
  /// The minimum length, if the program has set one.
  var explicitLength: MusicTimeStamp?
  /// Ticks per quarter note of the file, in the form of its header; used in the tempo track only.
  var resolution: Int16 = 480
  var destination = TrackDestination.standard
  /// A number that changes with each change of the events.
  private(set) var edition: UInt64 = 0

  /// The length: the end of the last event, or the minimum length if that is later.
  var length: MusicTimeStamp { max(explicitLength ?? 0, events.end) }
}

extension TrackContent {
  /// Shortens a range to the end of the track.
  private func clamped(_ range: TimeRange) -> TimeRange {
    TimeRange(range.start, min(range.end, max(length, range.start)))
  }

  /// Removes the events in a range.
  mutating func clear(_ range: TimeRange) {
    events.removeAll(in: range.bounds)
  }

  /// Removes a range: later events move up, and a minimum length becomes shorter by the range.
  mutating func cut(_ range: TimeRange) {
    let range = clamped(range)
    let length = range.end - range.start
    events.removeAll(in: range.bounds)
    if let explicitLength {
      self.explicitLength = explicitLength - max(0, min(explicitLength, range.end) - range.start)
    }
    guard length > 0 else { return }
    events.replaceAll(
      events.all.map { event in
        guard event.time >= range.end else { return event }
        return event.moved(to: max(range.start, event.time - length))
      })
  }

  /// Moves the events in a range.
  ///
  /// - Throws: `ParamError` if an event would be out of range; then nothing is moved.
  mutating func move(_ range: TimeRange, by distance: MusicTimeStamp) throws(StatusError) {
    let chosen = events.events(in: range.bounds)
    guard let first = chosen.first, let last = chosen.last else { return }
    guard first.time + distance >= 0, BeatEvent.canStand(at: last.time + distance) else {
      throw .parameter
    }
    var copy = events
    copy.removeAll(in: range.bounds)
    copy.insert(contentsOf: chosen.map { $0.moved(to: $0.time + distance) })
    events = copy
  }

  /// Copies the events in a range, moved so that the range begins at a time; also returns the
  /// range's length.
  ///
  /// - Throws: `ParamError` if an event would be out of range.
  func excerpt(
    _ range: TimeRange, at time: MusicTimeStamp
  ) throws(StatusError) -> (events: [BeatEvent], length: MusicTimeStamp) {
    let clamped = clamped(range)
    let chosen = events.events(in: range.bounds).map {
      $0.moved(to: time + ($0.time - range.start))
    }
    guard chosen.allSatisfy({ BeatEvent.canStand(at: $0.time) }) else { throw .parameter }
    return (chosen, clamped.end - clamped.start)
  }

  /// Inserts events at a time and moves later events back by `length`; a minimum length does not
  /// change.
  mutating func insert(
    _ added: [BeatEvent], at time: MusicTimeStamp, length: MusicTimeStamp
  ) throws(StatusError) {
    let last = events.isEmpty ? 0 : events.end
    guard BeatEvent.canStand(at: last + length) else { throw .parameter }
    let old = events.all
    let moved = old.map { $0.time >= time ? $0.moved(to: $0.time + length) : $0 }
    // Events that were at the end of the inserted range follow the inserted events.
    let split = moved.firstIndex { $0.time >= time } ?? moved.endIndex
    events.replaceAll(moved[..<split] + added + moved[split...])
  }
}

/// A half-open range of beats, as a program passes it.
struct TimeRange: Hashable, Sendable {
  let start: MusicTimeStamp
  let end: MusicTimeStamp

  fileprivate init(_ start: MusicTimeStamp, _ end: MusicTimeStamp) {
    (self.start, self.end) = (start, end)
  }

  /// - Throws: `ParamError` if the start is below 0, or if the end is before the start or not a
  ///   number.
  init(from start: MusicTimeStamp, to end: MusicTimeStamp) throws(StatusError) {
    guard start >= 0, end >= start, start.isFinite else { throw .parameter }
    self.init(start, end)
  }

  var bounds: Range<MusicTimeStamp> { start..<end }
}

extension BeatEvent {
  /// The latest time of an event, in beats.
  static let lastTime: MusicTimeStamp = 1e9

  /// True if an event can have this time.
  static func canStand(at time: MusicTimeStamp) -> Bool { time >= 0 && time <= lastTime }

  func moved(to time: MusicTimeStamp) -> BeatEvent {
    var event = self
    event.time = time
    return event
  }
}

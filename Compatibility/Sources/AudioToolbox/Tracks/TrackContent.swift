// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
internal import CoreAudioTypes

/// All that a track holds: a value, of which a copy costs nothing.
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
  /// The least length, where one was set.
  var explicitLength: MusicTimeStamp?
  /// Ticks a quarter note of the file, as its header has them; of the tempo track alone.
  var resolution: Int16 = 480
  var destination = TrackDestination.standard
  /// Changes with every change of the events.
  private(set) var edition: UInt64 = 0

  /// The length: the end of the last event, or what was set where that is more.
  var length: MusicTimeStamp { max(explicitLength ?? 0, events.end) }
}

extension TrackContent {
  /// The part of a range that has events: its end is at most behind the last one.
  private func clamped(_ range: TimeRange) -> TimeRange {
    TimeRange(range.start, min(range.end, max(length, range.start)))
  }

  /// Removes the events of a range.
  mutating func clear(_ range: TimeRange) {
    events.removeAll(in: range.bounds)
  }

  /// Removes a range: what follows moves up, and a length that was set shrinks by it.
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

  /// Moves the events of a range.
  ///
  /// - Throws: where one would lie before the start; then nothing is moved.
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

  /// The events of a range as they are to stand from a time on; how long the range is.
  ///
  /// - Throws: where an event would lie where none can.
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

  /// Makes room at a time and puts events there; a length that was set stays.
  mutating func insert(
    _ added: [BeatEvent], at time: MusicTimeStamp, length: MusicTimeStamp
  ) throws(StatusError) {
    let last = events.isEmpty ? 0 : events.end
    guard BeatEvent.canStand(at: last + length) else { throw .parameter }
    let old = events.all
    let moved = old.map { $0.time >= time ? $0.moved(to: $0.time + length) : $0 }
    // Those that were there come after what is put in at the end of its range.
    let split = moved.firstIndex { $0.time >= time } ?? moved.endIndex
    events.replaceAll(moved[..<split] + added + moved[split...])
  }
}

/// A half-open range of beats, as a caller gives it.
struct TimeRange: Hashable, Sendable {
  let start: MusicTimeStamp
  let end: MusicTimeStamp

  fileprivate init(_ start: MusicTimeStamp, _ end: MusicTimeStamp) {
    (self.start, self.end) = (start, end)
  }

  /// - Throws: for a start below 0, an end before it, and what is no number.
  init(from start: MusicTimeStamp, to end: MusicTimeStamp) throws(StatusError) {
    guard start >= 0, end >= start, start.isFinite else { throw .parameter }
    self.init(start, end)
  }

  var bounds: Range<MusicTimeStamp> { start..<end }
}

extension BeatEvent {
  /// The last beat that an event may have.
  static let lastTime: MusicTimeStamp = 1e9

  /// Whether an event may stand at a time.
  static func canStand(at time: MusicTimeStamp) -> Bool { time >= 0 && time <= lastTime }

  func moved(to time: MusicTimeStamp) -> BeatEvent {
    var event = self
    event.time = time
    return event
  }
}

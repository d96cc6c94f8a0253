// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// A copy of a range of one track.
///
/// `MusicTrack.cut` and `excerpt` return an excerpt; `insert` and `merge` add it to the same track,
/// another track or another sequence. Ticks are counted from the start of the range. A note that
/// begins in the range is copied completely, even if it ends later.
public struct TrackExcerpt: Sendable {
  let track: MusicTrack
  /// The length of the copied range in ticks.
  ///
  /// The range ends at the end of the track at the latest.
  public let length: Int64

  init(_ track: MusicTrack, length: UInt64) {
    self.track = track
    self.length = Int64(length)
  }

  /// Creates an excerpt of a given length without events.
  ///
  /// - Parameter length: The length in ticks.
  /// - Precondition: `length` is not negative.
  public init(silenceOf length: Int64) {
    precondition(length >= 0, "the length must not be negative")
    self.init(MusicTrack(), length: UInt64(length))
  }

  /// The number of events.
  public var count: Int { track.count }

  /// The events, in order.
  ///
  /// Their ticks are counted from the start of the range.
  public var events: MusicTrack.Events { track.events }
}

extension MusicTrack {
  /// Copies the events that begin in a range.
  ///
  /// - Parameter range: The ticks, half open; the part after the end of the track is ignored.
  /// - Returns: The copy; its ticks are counted from the start of the range.
  /// - Complexity: O(m) in the events of the range, plus O(n) for the length of the track.
  public func excerpt(of range: Range<Tick>) -> TrackExcerpt {
    excerpt(of: EditSpan(range, length: length))
  }

  func excerpt(of span: EditSpan) -> TrackExcerpt {
    var part = MusicTrack()
    part.payloads = payloads
    part.records = RecordList(
      inOrder: records.records(in: records.indices(in: span)).map { record in
        var copy = record
        copy.tick -= span.start
        return copy
      })
    return TrackExcerpt(part, length: span.length)
  }

  /// The records of an excerpt, moved to a tick of this track, with their payloads added to the
  /// track.
  mutating func adopt(
    _ excerpt: TrackExcerpt, at tick: UInt64
  ) throws(SequenceError) -> [EventRecord] {
    var result: [EventRecord] = []
    result.reserveCapacity(excerpt.count)
    for chunk in excerpt.track.records.chunks {
      for record in chunk {
        let moved = try record.moved(by: Int64(tick))
        result.append(try adopt(moved, from: excerpt.track))
      }
    }
    return result
  }
}

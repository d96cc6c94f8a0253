// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// A copy of a range of one track: what `cut` and `excerpt` give, and `insert` and `merge` take.
///
/// Ticks are counted from the start of the range, and a note that ends after the range is kept
/// whole. The excerpt is a value: later edits of the track do not change it. It can be put into the
/// same track, another track or another sequence.
public struct TrackExcerpt: Sendable {
  let track: MusicTrack
  /// The length of the range in ticks, counted to the end of the track at most.
  public let length: Int64

  init(_ track: MusicTrack, length: UInt64) {
    self.track = track
    self.length = Int64(length)
  }

  /// An excerpt of silence.
  ///
  /// - Precondition: `length` is not below zero.
  public init(silenceOf length: Int64) {
    precondition(length >= 0, "the length must not be negative")
    self.init(MusicTrack(), length: UInt64(length))
  }

  /// The number of events.
  public var count: Int { track.count }

  /// The events, in order; their ticks count from the start of the range.
  public var events: MusicTrack.Events { track.events }
}

extension MusicTrack {
  /// A copy of the events that begin in a range.
  ///
  /// - Parameter range: Half open; the part past the end of the track does not count.
  /// - Returns: The copy, its ticks counted from the start of the range.
  /// - Complexity: O(m) in the events of the range, O(n) for the length of the track.
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

  /// The records of an excerpt at a place of this track, their payloads among the track's own.
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

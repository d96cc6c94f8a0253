// SPDX-License-Identifier: Apache-2.0

/// The positions and times of the segments of a fragmented file.
///
/// Source: ISO/IEC 14496-12, 8.16.3 (`sidx`).
struct MP4SegmentIndex: Hashable, Sendable {
  /// A segment.
  struct Segment: Hashable, Sendable {
    /// The position in the stream in bytes.
    let offset: Int64
    /// The time of its first sample, in the index's units.
    let time: Int64
  }

  /// The segments in the order of time; at least one.
  let segments: [Segment]
  /// The end time of the last segment.
  let endTime: Int64
  /// The number of units per second.
  let units: Int
  /// The end of the last segment in bytes.
  let endOffset: Int64

  /// Reads an index; nil if it is damaged, or refers to other indexes.
  ///
  /// - Parameters:
  ///   - content: The content of the box `sidx`.
  ///   - end: The end of the box in the stream.
  init?(_ content: ArraySlice<UInt8>, endingAt end: Int64) {
    let width = content.first == 0 ? 4 : 8
    guard let units = content.number(8, 4), units > 0,
      let first = content.number(12, width), let distance = content.number(12 + width, width),
      let count = content.number(14 + 2 * width, 2), count > 0, first < 1 << 58,
      distance < 1 << 58, end < 1 << 60
    else { return nil }
    var (offset, time, place) = (end + Int64(distance), Int64(first), 16 + 2 * width)
    var segments: [Segment] = []
    for _ in 0..<count {
      guard let size = content.number(place, 4), let duration = content.number(place + 4, 4),
        size >> 31 == 0
      else { return nil }
      segments.append(Segment(offset: offset, time: time))
      (offset, time, place) = (offset + Int64(size), time + Int64(duration), place + 12)
    }
    (self.segments, endTime, endOffset, self.units) = (segments, time, offset, units)
  }
}

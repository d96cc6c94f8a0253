// SPDX-License-Identifier: Apache-2.0

/// The seek table of a FLAC stream, read from pieces of any size.
///
/// At most 65,536 points are stored.
///
/// Source: RFC 9639, section 8.5.
struct FLACSeekTable: Sendable {
  /// A frame with a known position.
  struct Point: Hashable {
    /// The number of its first sample.
    let sample: Int64
    /// Its offset from the first frame, in bytes.
    let offset: Int64
  }

  private static let pointByteCount = 18
  private static let limit = 1 << 16

  /// The points, in order.
  private(set) var points: [Point] = []
  private var held: [UInt8] = []

  /// Reads the next bytes of the table.
  mutating func take(_ bytes: ArraySlice<UInt8>) {
    held += bytes
    var rest = held[...]
    while rest.count >= Self.pointByteCount {
      keep(rest)
      rest = rest.dropFirst(Self.pointByteCount)
    }
    held = Array(rest)
  }

  private mutating func keep(_ bytes: ArraySlice<UInt8>) {
    // Placeholders have the highest sample number, which is negative here.
    guard let sample = bytes.signed(0, 8), let offset = bytes.signed(8, 8), offset >= 0,
      sample > points.last?.sample ?? -1, offset > points.last?.offset ?? -1,
      points.count < Self.limit
    else { return }
    points.append(Point(sample: Int64(sample), offset: Int64(offset)))
  }

  /// The last point at or before a sample, and the first one after it.
  ///
  /// - Complexity: O(log n) in the number of points.
  func points(around sample: Int64) -> (before: Point?, after: Point?) {
    var (low, high) = (0, points.count)
    while low < high {
      let middle = (low + high) / 2
      if points[middle].sample <= sample { low = middle + 1 } else { high = middle }
    }
    return (low > 0 ? points[low - 1] : nil, low < points.count ? points[low] : nil)
  }
}

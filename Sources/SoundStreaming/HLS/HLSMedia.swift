// SPDX-License-Identifier: Apache-2.0

/// A media playlist of HTTP Live Streaming, which lists the segments of one stream.
///
/// Source: RFC 8216, 4.3.2 and 4.3.3.
package struct HLSMedia: Hashable, Sendable {
  /// A resource, or a part of one.
  package struct Resource: Hashable, Sendable {
    /// The web address.
    package var address: String
    /// The byte range; nil for the whole resource.
    package var part: Range<Int64>?
  }

  /// A segment of the stream.
  package struct Segment: Hashable, Sendable {
    /// The media sequence number.
    package var number: Int64
    /// The bytes of the segment.
    package var resource: Resource
    /// The duration in seconds, 0…86,400.
    package var seconds: Double
    /// True if the encoding or the timestamps change at its start.
    package var isDiscontinuous = false
    /// True if the segment is missing on the server.
    package var isGap = false
    /// The encryption method; nil for none.
    package var encryption: String?
    /// The initialization section of fragmented MP4; nil for other formats.
    package var map: Resource?
  }

  /// The maximum duration of a segment in seconds, 1…3600.
  package var targetSeconds = 1.0
  /// The segments in order.
  package var segments: [Segment] = []
  /// True if no more segments will be added.
  package var isComplete = false
  /// The position at which to start, in seconds from the start, or from the end if it is negative.
  package var start: Double?

  /// The total duration of the segments in seconds.
  ///
  /// - Complexity: O(n) in the number of segments.
  package var seconds: Double { segments.reduce(0) { $0 + $1.seconds } }
}

// SPDX-License-Identifier: Apache-2.0

/// A media playlist of HTTP Live Streaming: the segments of one stream.
///
/// Source: RFC 8216, 4.3.2 and 4.3.3.
package struct HLSMedia: Hashable, Sendable {
  /// A resource, or a part of one.
  package struct Resource: Hashable, Sendable {
    /// The web address.
    package var address: String
    /// The bytes that belong to it; nil for all.
    package var part: Range<Int64>?
  }

  /// A piece of the stream.
  package struct Segment: Hashable, Sendable {
    /// The media sequence number.
    package var number: Int64
    /// The bytes of the segment.
    package var resource: Resource
    /// The duration in seconds, 0…86400.
    package var seconds: Double
    /// True if the encoding or the timestamps change at the start.
    package var isDiscontinuous = false
    /// True if the segment is missing on the server.
    package var isGap = false
    /// The method of encryption; nil for none.
    package var encryption: String?
    /// The initialization of fragmented MP4; nil for other formats.
    package var map: Resource?
  }

  /// The longest duration of a segment in seconds; 1…3600.
  package var targetSeconds = 1.0
  /// The segments in order.
  package var segments: [Segment] = []
  /// True if no segment is added any more.
  package var isComplete = false
  /// The place at which to begin, in seconds from the start, or from the end if it is negative.
  package var start: Double?

  /// The duration of all segments in seconds.
  package var seconds: Double { segments.reduce(0) { $0 + $1.seconds } }
}

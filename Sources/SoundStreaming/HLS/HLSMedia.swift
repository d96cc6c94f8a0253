// SPDX-License-Identifier: Apache-2.0

/// A media playlist of HTTP Live Streaming: the segments of one stream.
///
/// Source: RFC 8216, 4.3.2 and 4.3.3.
struct HLSMedia: Hashable, Sendable {
  /// A resource, or a part of one.
  struct Resource: Hashable, Sendable {
    /// The web address.
    var address: String
    /// The bytes that belong to it; nil for all.
    var part: Range<Int64>?
  }

  /// A piece of the stream.
  struct Segment: Hashable, Sendable {
    /// The media sequence number.
    var number: Int64
    /// The bytes of the segment.
    var resource: Resource
    /// The duration in seconds, 0…86400.
    var seconds: Double
    /// Whether the encoding or the timestamps change at the start.
    var isDiscontinuous = false
    /// Whether the segment is missing on the server.
    var isGap = false
    /// The method of encryption; nil for none.
    var encryption: String?
    /// The initialization of fragmented MP4; nil for other formats.
    var map: Resource?
  }

  /// The longest duration of a segment in seconds; 1…3600.
  var targetSeconds = 1.0
  /// The segments in order.
  var segments: [Segment] = []
  /// Whether no segment is added any more.
  var isComplete = false
  /// The place at which to begin, in seconds from the start, or from the end if it is negative.
  var start: Double?

  /// The duration of all segments in seconds.
  var seconds: Double { segments.reduce(0) { $0 + $1.seconds } }
}

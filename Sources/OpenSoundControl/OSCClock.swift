// SPDX-License-Identifier: Apache-2.0
package import MusicalTime

/// How the wall clock, by which time tags are written, lies beside the machine's monotonic one.
///
/// It is taken anew from time to time, since the wall clock is set.
package struct OSCClock: Hashable, Sendable {
  /// From 1900 to 1970, in nanoseconds.
  private static let unixEpoch: Int128 = 2_208_988_800 * nanoseconds
  private static let nanoseconds: Int128 = 1_000_000_000

  /// What the wall clock, in nanoseconds since 1900, is ahead of the monotonic one.
  private let offset: Int128

  /// Creates one from both clocks, read at one instant.
  ///
  /// - Parameters:
  ///   - wall: Nanoseconds since 1970.
  ///   - host: The same instant on the monotonic clock.
  package init(wall: Int64, host: HostTime) {
    offset = Int128(wall) - Int128(host.nanoseconds) + Self.unixEpoch
  }

  /// The instant of a tag.
  ///
  /// - Parameters:
  ///   - tag: The tag.
  ///   - now: An instant within 68 years of which it is meant: seconds since 1900 begin anew
  ///     every 136, the next time in 2036.
  /// - Returns: The instant, rounded to the nearest nanosecond; nil for the tag that means now.
  package func hostTime(of tag: OSCTimeTag, near now: HostTime) -> HostTime? {
    guard tag != .immediately else { return nil }
    let distance = Int128(Int64(bitPattern: tag.rawValue &- self.tag(of: now).rawValue))
    let elapsed = Int64((distance * Self.nanoseconds + 1 << 31) >> 32)
    return now.advanced(saturating: elapsed)
  }

  /// The tag of an instant; never the one that means now, which lies between two nanoseconds.
  package func tag(of time: HostTime) -> OSCTimeTag {
    let since1900 = Int128(time.nanoseconds) + offset
    // Rounded up, so that reading it gives the instant again.
    let fixed = (since1900 << 32 + Self.nanoseconds - 1) / Self.nanoseconds
    return OSCTimeTag(rawValue: UInt64(truncatingIfNeeded: fixed))
  }
}

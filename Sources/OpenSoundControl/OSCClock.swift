// SPDX-License-Identifier: Apache-2.0
package import MusicalTime

/// The relation between the wall clock, which time tags use, and the machine's monotonic clock.
///
/// Create a new value from time to time, because the wall clock can be set.
package struct OSCClock: Hashable, Sendable {
  /// The nanoseconds from 1900 to 1970.
  private static let unixEpoch: Int128 = 2_208_988_800 * nanoseconds
  private static let nanoseconds: Int128 = 1_000_000_000

  /// The time of the wall clock in nanoseconds since 1900, minus the time of the monotonic clock.
  private let offset: Int128

  /// Creates a value from both clocks, read at the same instant.
  ///
  /// - Parameters:
  ///   - wall: The wall clock, in nanoseconds since 1970.
  ///   - host: The same instant on the monotonic clock.
  package init(wall: Int64, host: HostTime) {
    offset = Int128(wall) - Int128(host.nanoseconds) + Self.unixEpoch
  }

  /// Converts a time tag to host time.
  ///
  /// - Parameters:
  ///   - tag: The time tag.
  ///   - now: An instant within 68 years of the tag's time. The seconds since 1900 wrap around
  ///     every 136 years, next in 2036.
  /// - Returns: The host time, rounded to the nearest nanosecond; nil for `immediately`.
  package func hostTime(of tag: OSCTimeTag, near now: HostTime) -> HostTime? {
    guard tag != .immediately else { return nil }
    let distance = Int128(Int64(bitPattern: tag.rawValue &- self.tag(of: now).rawValue))
    let elapsed = Int64((distance * Self.nanoseconds + 1 << 31) >> 32)
    return now.advanced(saturating: elapsed)
  }

  /// The time tag of an instant; never `immediately`, which lies between two nanoseconds.
  package func tag(of time: HostTime) -> OSCTimeTag {
    let since1900 = Int128(time.nanoseconds) + offset
    // Rounded up, so that converting it back gives the same instant.
    let fixed = (since1900 << 32 + Self.nanoseconds - 1) / Self.nanoseconds
    return OSCTimeTag(rawValue: UInt64(truncatingIfNeeded: fixed))
  }
}

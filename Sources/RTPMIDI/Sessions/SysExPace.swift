// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// Determines when the next piece of a long SysEx can be sent.
///
/// It is sent when the session's window has room for it, and not faster than a given speed. The
/// window limits packets to `octetsPerSecond`, below the 262,144 bytes per second above which a
/// Downbeat session ignores a sender. Every packet, with its header and journal, takes its share of
/// a second before the next piece. At this rate packets do not overflow a receiver's buffer, and a
/// network that is suitable for music does not reorder them, which would lose the SysEx.
struct SysExPace: Sendable {
  /// The most bytes of packets per second.
  static let octetsPerSecond: Int64 = 196_608
  /// The number of bytes of a piece at the speed of a cable; at higher speeds a piece lasts 10 ms.
  static let shortestPiece = 256

  /// The time from which the window has room.
  private var free = HostTime.zero
  /// The time from which the speed allows the next piece.
  private var ready = HostTime.zero

  /// The earliest time of the next piece.
  var next: HostTime { max(ready, free) }

  /// The number of bytes of a piece.
  ///
  /// - Parameters:
  ///   - room: The room in the packet.
  ///   - speed: The speed in bytes per second; nil for as fast as the window allows.
  /// - Returns: The length, at least 1.
  func pieceLength(room: Int, speed: Int?) -> Int {
    guard let speed else { return max(1, room) }
    return max(1, min(room, max(Self.shortestPiece, speed / 100)))
  }

  /// Counts a packet that was sent at an instant.
  mutating func charge(_ octets: Int, at time: HostTime) {
    let share = Int64(octets) * 1_000_000_000 / Self.octetsPerSecond
    free = max(free, time).advanced(saturating: share)
  }

  /// Delays the next piece by the time that this one takes at a speed in bytes per second.
  mutating func wait(for octets: Int, at speed: Int, from time: HostTime) {
    ready = time.advanced(saturating: Int64(octets) * 1_000_000_000 / Int64(max(1, speed)))
  }
}

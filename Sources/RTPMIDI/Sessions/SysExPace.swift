// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// When the next piece of a long SysEx may leave: as soon as the session's window has room for it,
/// and no faster than a speed that was asked for.
///
/// The window is what a receiver takes: `octetsPerSecond`, below the 262,144 at which a session of ours
/// takes a sender for a flood. Every packet counts, with its header and journal, and takes its share of
/// a second before the next piece: packets 3.6 ms apart run over no receiver's buffer, and no network
/// that is fit for music brings them in another order, by which the SysEx would be lost.
struct SysExPace: Sendable {
  /// Octets a second of packets, at most.
  static let octetsPerSecond: Int64 = 196_608
  /// The octets of a piece at a speed of a cable; of a faster one those of 10 ms.
  static let shortestPiece = 256

  /// From when on the window has room.
  private var free = HostTime.zero
  /// From when on the speed that was asked for allows the next piece.
  private var ready = HostTime.zero

  /// From when on a piece may leave.
  var next: HostTime { max(ready, free) }

  /// The octets of a piece.
  ///
  /// - Parameters:
  ///   - room: What fits a packet.
  ///   - speed: Octets a second; nil for as fast as the window allows.
  /// - Returns: The length, at least 1.
  func pieceLength(room: Int, speed: Int?) -> Int {
    guard let speed else { return max(1, room) }
    return max(1, min(room, max(Self.shortestPiece, speed / 100)))
  }

  /// Counts a packet that left at an instant.
  mutating func charge(_ octets: Int, at time: HostTime) {
    let share = Int64(octets) * 1_000_000_000 / Self.octetsPerSecond
    free = max(free, time).advanced(saturating: share)
  }

  /// Has the next piece wait until a cable of a speed, in octets a second, would have taken this one.
  mutating func wait(for octets: Int, at speed: Int, from time: HostTime) {
    ready = time.advanced(saturating: Int64(octets) * 1_000_000_000 / Int64(max(1, speed)))
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// How far the server's thread has taken what a port was sent, and how many orders to forget were given.
///
/// The two are one word, so that each order lies before a turn or after it for both sides alike: the
/// sender hands an order over and then counts it here; a turn claims its frames here and then follows
/// the orders that it finds counted. So who gives an order knows what is taken in spite of it, and
/// neither waits.
///
/// - Note: Real-time safe. One thread at a time orders; the server's thread claims.
final class FrameClaim: Sendable {
  /// What is claimed and ordered.
  struct State: Equatable {
    /// What is due before this frame of the client's count was taken.
    var frame: Int64
    /// The orders, modulo 65,536.
    var orders: UInt16
  }

  /// The frame in the upper 48 bits, enough for 23 years at 192 kHz, and the orders in the others.
  private let word = Atomic<Int64>(0)

  /// What is claimed and ordered now.
  var state: State { Self.state(of: word.load(ordering: .acquiring)) }

  /// Claims what is due before a frame, for a turn; says what was claimed and ordered before.
  func claim(to frame: Int64) -> State {
    // Nobody else moves the frame.
    let distance = frame &- Self.state(of: word.load(ordering: .relaxed)).frame
    return Self.state(
      of: word.wrappingAdd(distance << 16, ordering: .acquiringAndReleasing).oldValue)
  }

  /// Counts an order that was handed over; returns the frame before which all was taken by then.
  func order() -> Int64 {
    var old = word.load(ordering: .relaxed)
    while true {
      let state = Self.state(of: old)
      let new = state.frame << 16 | Int64(state.orders &+ 1)
      let (isCounted, found) = word.compareExchange(
        expected: old, desired: new, ordering: .acquiringAndReleasing)
      if isCounted { return state.frame }
      old = found
    }
  }

  private static func state(of word: Int64) -> State {
    State(frame: word >> 16, orders: UInt16(truncatingIfNeeded: word))
  }
}

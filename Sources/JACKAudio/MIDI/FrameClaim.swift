// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The frame up to which the server's thread has taken a port's events, and the number of
/// cancellations.
///
/// The two are one word, so that for both sides each cancellation is before or after a cycle. The
/// sender stores a cancellation and then counts it here; a cycle claims its frames here and then
/// applies the cancellations that were counted. The sender therefore knows which events were taken
/// in spite of a cancellation, and neither side waits.
///
/// - Note: Real-time safe. One thread at a time cancels; the server's thread claims.
final class FrameClaim: Sendable {
  /// The claimed frame and the number of cancellations.
  struct State: Equatable {
    /// Events due before this frame of the client's count were taken.
    var frame: Int64
    /// The number of cancellations, modulo 65,536.
    var orders: UInt16
  }

  /// The frame in the upper 48 bits, enough for 23 years at 192 kHz, and the cancellations in the
  /// others.
  private let word = Atomic<Int64>(0)

  /// The present state.
  var state: State { Self.state(of: word.load(ordering: .acquiring)) }

  /// Claims the events due before a frame, for a cycle; returns the previous state.
  func claim(to frame: Int64) -> State {
    // Only this thread changes the frame.
    let distance = frame &- Self.state(of: word.load(ordering: .relaxed)).frame
    return Self.state(
      of: word.wrappingAdd(distance << 16, ordering: .acquiringAndReleasing).oldValue)
  }

  /// Counts a stored cancellation; returns the frame before which all events were taken by then.
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

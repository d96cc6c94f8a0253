// SPDX-License-Identifier: Apache-2.0

/// Where a transport stands at an instant.
public struct TransportPosition: Hashable, BitwiseCopyable, Sendable {
  /// The instant, in reference time.
  public var time: ReferenceTime
  /// The first tick that is due at or after the instant: a place in the piece.
  public var tick: Tick
  /// The same without going back at the end of a loop: it only grows while the transport runs.
  public var unwrapped: Tick
  /// How often a loop has gone back to its start since the transport was last moved.
  public var pass: Int

  /// Creates a position.
  public init(time: ReferenceTime, tick: Tick, unwrapped: Tick, pass: Int = 0) {
    self.time = time
    self.tick = tick
    self.unwrapped = unwrapped
    self.pass = pass
  }
}

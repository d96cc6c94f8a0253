// SPDX-License-Identifier: Apache-2.0

/// The position of a transport at an instant.
public struct TransportPosition: Hashable, BitwiseCopyable, Sendable {
  /// The instant in reference time.
  public var time: ReferenceTime
  /// The first tick of the song that is due at or after the instant.
  public var tick: Tick
  /// The tick without jumps back at the end of a loop; it only increases during playback.
  public var unwrapped: Tick
  /// The number of jumps back to the start of the loop since the transport was last moved.
  public var pass: Int

  /// Creates a position; `pass` is 0 by default.
  public init(time: ReferenceTime, tick: Tick, unwrapped: Tick, pass: Int = 0) {
    self.time = time
    self.tick = tick
    self.unwrapped = unwrapped
    self.pass = pass
  }
}

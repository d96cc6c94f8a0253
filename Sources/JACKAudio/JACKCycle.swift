// SPDX-License-Identifier: Apache-2.0
internal import CJACK
internal import MusicalTime

/// One turn of the server, as those see it who have something to do in it.
@safe
struct JACKCycle: BitwiseCopyable {
  let table: UnsafePointer<CJACKTable>
  let client: OpaquePointer
  /// The frames of this turn: any number, another each time.
  let frameCount: Int
  /// The client's own count of frames at the start of it: what was lost is not in it.
  let frame: Int64
  /// When the turn began, by the server's clock, on the host's; in nanoseconds.
  let time: Int64
  /// Nanoseconds a frame lasts.
  let nanosecondsPerFrame: Double
  /// How many times the frames did not follow on one another.
  let epoch: UInt32
  /// Whether turns follow one another as fast as they can.
  let isFreewheeling: Bool
  /// Whether the server has this turn run once more.
  let isRepeated: Bool

  /// When frames of some count pass, of which the turn begins with one.
  ///
  /// - Parameters:
  ///   - count: the count at the turn's first frame.
  ///   - delay: nanoseconds by which all are later.
  /// - Returns: the line.
  /// - Note: Real-time safe.
  func line(at count: Int64, later delay: Int64 = 0) -> Timeline<SampleTime, HostTime> {
    // 2^30: a frame of 192 kHz is 5 µs, told apart to 2·10⁻¹³ of it.
    let denominator: Int64 = 1 << 30
    return Timeline<SampleTime, HostTime>(
      countOrigin: count, scaledOrigin: Int128(time + delay) * Int128(denominator),
      numerator: max(1, Int64(nanosecondsPerFrame * Double(denominator))),
      denominator: denominator)
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import CJACK
internal import MusicalTime

/// One cycle of the server, for the duties of a client.
@safe
struct JACKCycle: BitwiseCopyable {
  let table: UnsafePointer<CJACKTable>
  let client: OpaquePointer
  /// The frames of this cycle, which can vary.
  let frameCount: Int
  /// The client's frame count at the start of the cycle, without lost frames.
  let frame: Int64
  /// The start of the cycle according to the server, in nanoseconds of host time.
  let time: Int64
  /// The length of a frame in nanoseconds.
  let nanosecondsPerFrame: Double
  /// The number of times that frames were not consecutive.
  let epoch: UInt32
  /// True if cycles run faster than real time.
  let isFreewheeling: Bool
  /// True if the server repeats this cycle.
  let isRepeated: Bool

  /// The line from a count of frames to host time.
  ///
  /// - Parameters:
  ///   - count: The count at the first frame of the cycle.
  ///   - delay: Nanoseconds by which all times are later; 0 by default.
  /// - Returns: The line.
  /// - Note: Real-time safe.
  func line(at count: Int64, later delay: Int64 = 0) -> Timeline<SampleTime, HostTime> {
    // With 2³⁰ the length of a frame at 192 kHz, 5 µs, has a resolution of 2·10⁻¹³.
    let denominator: Int64 = 1 << 30
    return Timeline<SampleTime, HostTime>(
      countOrigin: count, scaledOrigin: Int128(time + delay) * Int128(denominator),
      numerator: max(1, Int64(nanosecondsPerFrame * Double(denominator))),
      denominator: denominator)
  }
}

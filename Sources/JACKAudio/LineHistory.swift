// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The published clock of an output: the server's line, with its drift and jitter.
///
/// - Note: Real-time safe.
struct LineHistory {
  private var epoch: UInt32 = 0
  private var breaks: UInt32 = 0
  private var first = (frame: Int64(0), time: Int64(0))
  /// The start of the next cycle according to the last line.
  private var predicted: Int64 = 0
  private var spread = 0.0

  /// The time after which the drift is published, in nanoseconds.
  private static let settling: Int64 = 10_000_000_000

  /// The clock of a cycle that begins at `frame`; nil during freewheel, which does not show the
  /// time.
  ///
  /// - Parameters:
  ///   - cycle: The cycle.
  ///   - frame: The count at its first frame.
  ///   - latency: The frames until sound is audible.
  ///   - rate: Frames per second.
  ///   - delay: Nanoseconds by which frames are later than in the cycle; 0 by default.
  ///   - breaks: The number of times that frames were left out of the count; 0 by default.
  /// - Returns: The clock.
  mutating func clock(
    _ cycle: JACKCycle, playing frame: Int64, latency: Int, rate: SampleRate,
    later delay: Int64 = 0, break breaks: UInt32 = 0
  ) -> SampleClock? {
    guard !cycle.isFreewheeling else { return nil }
    if epoch != cycle.epoch || self.breaks != breaks {
      (epoch, self.breaks) = (cycle.epoch, breaks)
      first = (frame, cycle.time)
      predicted = cycle.time
    }
    let error = Double(cycle.time - predicted)
    spread += (error * error - spread) / 64
    predicted = cycle.time + Int64(Double(cycle.frameCount) * cycle.nanosecondsPerFrame)
    let elapsed = cycle.time - first.time
    var drift: Double?
    if elapsed >= Self.settling {
      let nominal = Double(frame - first.frame) * 1e9 / Double(rate.hertz)
      drift = (nominal / Double(elapsed) - 1) * 1e6
    }
    return SampleClock(
      timeline: cycle.line(at: frame, later: delay),
      delay: Int64(Double(latency) * 1e9 / Double(rate.hertz)), drift: drift,
      jitter: spread.squareRoot(), epoch: epoch &+ breaks)
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// What an output tells of its clock: the server's line, and how well it has held so far.
///
/// - Note: Real-time safe.
struct LineHistory {
  private var epoch: UInt32 = 0
  private var breaks: UInt32 = 0
  private var first = (frame: Int64(0), time: Int64(0))
  /// When the next turn is to begin, by the last line.
  private var predicted: Int64 = 0
  private var spread = 0.0

  /// The rate is told once this much has been heard, in nanoseconds.
  private static let settling: Int64 = 10_000_000_000

  /// The clock of a turn whose first frame is `frame`; nil where turns are as fast as they can, which
  /// says nothing of time.
  ///
  /// - Parameters:
  ///   - cycle: the turn.
  ///   - frame: the count at its first frame.
  ///   - latency: frames until what is played is heard.
  ///   - rate: frames a second.
  ///   - delay: nanoseconds by which frames are later than in the turn.
  ///   - breaks: how often frames were left out of the count.
  /// - Returns: the clock.
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

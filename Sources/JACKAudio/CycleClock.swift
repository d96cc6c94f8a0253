// SPDX-License-Identifier: Apache-2.0
internal import CJACK
internal import Realtime

/// Counts a client's frames, and measures the difference of the server's clock from host time.
///
/// The server has already filtered its times. JACK's clock is the computer's without corrections by
/// time servers; PipeWire's is host time.
///
/// - Note: Real-time safe; owned by the server's thread.
struct CycleClock {
  /// True if the next cycle does not follow the last one.
  var isBroken = true
  private var frame: Int64 = 0
  private var epoch: UInt32 = 0
  /// The server's frame count at the start and the end of the last cycle.
  private var (last, expected): (UInt32, UInt32) = (0, 0)
  /// The smoothed nanoseconds by which host time is ahead of the server's clock.
  private var offset = 0.0
  private var hasOffset = false
  private var wasFreewheeling = false
  private let nanosecondsPerFrame: Double

  init(hertz: UInt32) {
    nanosecondsPerFrame = 1e9 / Double(hertz)
  }

  /// The longest duration of a usable pair of readings, in nanoseconds.
  private static let longestReading: Int64 = 20_000
  /// A change above this is a step instead of noise, in nanoseconds.
  private static let step = 200_000.0

  /// Begins a cycle.
  mutating func begin(
    _ frameCount: Int, _ table: UnsafePointer<CJACKTable>, _ client: OpaquePointer,
    isFreewheeling: Bool
  ) -> JACKCycle {
    var server: UInt32 = 0
    var (now, next): (UInt64, UInt64) = (0, 0)
    var period: Float = 0
    if unsafe table.pointee.get_cycle_times(client, &server, &now, &next, &period) != 0 || now == 0
    {
      // The times are not known yet.
      now = unsafe table.pointee.get_time()
      isBroken = true
    }
    let isRepeated = !isBroken && server == last && expected != last
    if !isRepeated {
      if isBroken || server != expected || isFreewheeling != wasFreewheeling {
        epoch &+= 1
        isBroken = false
      }
      wasFreewheeling = isFreewheeling
      (last, expected) = (server, server &+ UInt32(truncatingIfNeeded: frameCount))
      unsafe compare(table)
    }
    return unsafe JACKCycle(
      table: table, client: client, frameCount: frameCount, frame: frame,
      time: Int64(now) * 1_000 + Int64(offset),
      nanosecondsPerFrame: frameCount > 0 && period > 0
        ? Double(period) * 1_000 / Double(frameCount) : nanosecondsPerFrame,
      epoch: epoch, isFreewheeling: isFreewheeling, isRepeated: isRepeated)
  }

  /// Ends a cycle whose frames count.
  mutating func end(_ frameCount: Int) {
    frame += Int64(frameCount)
  }

  private mutating func compare(_ table: UnsafePointer<CJACKTable>) {
    let before = DeadlineWait.now
    let server = unsafe Int64(table.pointee.get_time()) * 1_000
    let after = DeadlineWait.now
    guard after - before < Self.longestReading || !hasOffset else { return }
    // The server counts whole microseconds, rounded down.
    let seen = Double((before + after) / 2 - server - 500)
    let isStep = !hasOffset || abs(seen - offset) > Self.step
    offset = isStep ? seen : offset + (seen - offset) / 64
    hasOffset = true
  }
}

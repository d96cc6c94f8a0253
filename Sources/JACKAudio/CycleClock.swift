// SPDX-License-Identifier: Apache-2.0
internal import CJACK
internal import Realtime

/// Counts a client's frames, and finds where the server's clock lies on the host's.
///
/// The server has filtered its times already; JACK's clock is the machine's without what time
/// servers make of it, PipeWire's the host's itself.
///
/// - Note: Real-time safe; the server's thread owns it.
struct CycleClock {
  /// Whether the next turn does not follow on the last.
  var isBroken = true
  private var frame: Int64 = 0
  private var epoch: UInt32 = 0
  /// The server's count at the last turn's beginning and its end.
  private var (last, expected): (UInt32, UInt32) = (0, 0)
  /// Nanoseconds by which the host's clock is ahead of the server's, smoothed.
  private var offset = 0.0
  private var hasOffset = false
  private var wasFreewheeling = false
  private let nanosecondsPerFrame: Double

  init(hertz: UInt32) {
    nanosecondsPerFrame = 1e9 / Double(hertz)
  }

  /// A pair of readings that took longer tells nothing, in nanoseconds.
  private static let longestReading: Int64 = 20_000
  /// A change past this is no noise but a step, in nanoseconds.
  private static let step = 200_000.0

  /// Begins a turn.
  mutating func begin(
    _ frameCount: Int, _ table: UnsafePointer<CJACKTable>, _ client: OpaquePointer,
    isFreewheeling: Bool
  ) -> JACKCycle {
    var server: UInt32 = 0
    var (now, next): (UInt64, UInt64) = (0, 0)
    var period: Float = 0
    if unsafe table.pointee.get_cycle_times(client, &server, &now, &next, &period) != 0 || now == 0
    {
      // Not known yet.
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

  /// Ends a turn whose frames count.
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

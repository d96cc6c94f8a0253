// SPDX-License-Identifier: Apache-2.0
internal import ClockService
internal import CommandKit
internal import MIDIPorts
internal import MusicalTime
internal import PlayerControl
internal import Realtime

/// The work of a clock in its run loop, until a time limit, the command `quit`, or a program ends
/// it.
struct ClockRun: RunLoopBody {
  /// The interval at which other programs are served, in nanoseconds.
  private static let period: Int64 = 50_000_000
  private static let webPeriod: Int64 = 20_000_000

  let engine: ClockEngine
  /// The commands from standard input; nil if it is not read.
  var control: ClockControl?
  /// The time at which it ends, in nanoseconds of the monotonic clock.
  let end: Int64

  var descriptors: [Int32] {
    (control?.descriptors ?? []) + (engine.keeper?.descriptors ?? [])
      + engine.ports.flatMap(\.descriptors) + (engine.led?.server?.descriptors ?? [])
      + (engine.led?.web?.descriptors ?? [])
  }

  var deadline: Int64? {
    let period = engine.led?.web == nil ? Self.period : Self.webPeriod
    return min(DeadlineWait.now + period, end, engine.led?.server?.deadline ?? .max)
  }

  mutating func turn() throws -> Bool {
    if let failure = engine.clock.failure { throw failure }
    try engine.keeper?.update().told()
    for ports in engine.ports { try ports.update().told() }
    let isEnded = engine.serveOthers()
    if try isEnded || control?.take(for: engine.clock) == false {
      JSONReport.setReason("quit")
      return false
    }
    return DeadlineWait.now < end
  }
}

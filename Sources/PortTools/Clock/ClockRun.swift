// SPDX-License-Identifier: Apache-2.0
internal import ClockService
internal import CommandKit
internal import MIDIPorts
internal import MusicalTime
internal import PlayerControl
internal import Realtime

/// A clock engine in the run loop: until an end, the word `quit`, or a program that ends it.
struct ClockRun: RunLoopBody {
  /// The period at which other programs receive the clock, in nanoseconds.
  private static let period: Int64 = 50_000_000
  private static let webPeriod: Int64 = 20_000_000

  let engine: ClockEngine
  /// The commands from standard input; nil if it is not read.
  var control: ClockControl?
  /// When it ends, in nanoseconds of the monotonic clock.
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

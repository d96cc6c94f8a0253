// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import MIDIPorts
internal import Realtime

/// The work of routing events between ports, in the run loop.
struct ThruRun: RunLoopBody {
  /// The interval at which events are sent again to a destination that was full, in nanoseconds.
  private static let retryPeriod: Int64 = 1_000_000

  let thru: any ThruConnection

  var descriptors: [Int32] { thru.descriptors }
  var deadline: Int64? { thru.isIdle ? nil : DeadlineWait.now + Self.retryPeriod }

  func turn() throws -> Bool {
    try thru.pump()
    try thru.update().told()
    return true
  }

  func stop(by signals: SignalWatch) throws {
    thru.end()
    signals.pause()
    try thru.reopen()
  }
}

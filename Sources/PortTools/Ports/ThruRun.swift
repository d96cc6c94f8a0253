// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import MIDIPorts
internal import Realtime

/// Carries events from ports to ports.
struct ThruRun: RunLoopBody {
  /// The period at which events that a destination could not take are sent again, in nanoseconds.
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

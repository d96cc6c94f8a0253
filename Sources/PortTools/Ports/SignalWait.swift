// SPDX-License-Identifier: Apache-2.0
package import CommandKit
internal import PlayerControl
internal import Realtime

/// Waits in steps short enough for a signal to be seen within 20 ms.
package struct SignalWait {
  package enum Outcome {
    case deadline
    case readable
    case signal(Int32)
  }

  private static let step: Int64 = 20_000_000
  private let signals: SignalWatch
  private let wait: DeadlineWait

  package init(_ signals: SignalWatch) throws {
    self.signals = signals
    wait = try DeadlineWait()
  }

  /// Waits for one of some descriptors; a signal ends the process.
  package func untilReadable(_ descriptors: [Int32]) {
    if case .signal(let number) = until(nil, readable: descriptors) { SignalWatch.die(by: number) }
  }

  /// Waits for a descriptor, an instant (nanoseconds of the monotonic clock), or a signal.
  package func until(_ deadline: Int64?, readable descriptors: [Int32] = []) -> Outcome {
    while true {
      if let number = signals.signal { return .signal(number) }
      let now = DeadlineWait.now
      let limit = min(deadline ?? .max, now + Self.step)
      if case .descriptor = wait.wait(until: limit, readable: descriptors) { return .readable }
      if let deadline, deadline <= DeadlineWait.now { return .deadline }
    }
  }
}
